// proto.js: protobuf messages made by hand.

/**
 * @param {bigint} value
 * @returns {number[]}
 */
function varint(value) {
  const rest = BigInt.asUintN(64, value);
  return rest < 0x80n ? [Number(rest)] : [Number(rest & 0x7fn) | 0x80, ...varint(rest >> 7n)];
}

/**
 * A message of fields: [number, value]; a bigint is a varint, a text or bytes are a field with a length.
 * @param {...[number, bigint | string | Uint8Array]} fields
 */
export function message(...fields) {
  return Uint8Array.from(fields.flatMap(([field, value]) => {
    const key = BigInt(field) << 3n;
    if (typeof value === 'bigint') return [...varint(key), ...varint(value)];
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint(key | 2n), ...varint(BigInt(bytes.length)), ...bytes];
  }));
}
