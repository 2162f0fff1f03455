/* xplane_fields.h: the field numbers of the messages of a profile that are walked, not decoded:
 * tsl/profiler/protobuf/xplane.proto.
 *
 * proto/xplane.proto declares the same messages; a test holds these numbers against it.
 */
#ifndef MV_SOURCE_XPLANE_FIELDS_H
#define MV_SOURCE_XPLANE_FIELDS_H

/* XSpace */
enum { MV_XSPACE_PLANES = 1 };

/* XPlane */
enum { MV_XPLANE_NAME = 2, MV_XPLANE_EVENT_METADATA = 4, MV_XPLANE_STAT_METADATA = 5 };

/* An entry of a map, as protobuf writes it. */
enum { MV_MAP_KEY = 1, MV_MAP_VALUE = 2 };

/* XEventMetadata. Older writers put the HloProto into its own bytes, `metadata`. */
enum { MV_XEVENT_METADATA_NAME = 2, MV_XEVENT_METADATA_METADATA = 3, MV_XEVENT_METADATA_STATS = 5 };

/* XStat */
enum { MV_XSTAT_METADATA_ID = 1, MV_XSTAT_UINT64 = 3, MV_XSTAT_INT64 = 4, MV_XSTAT_BYTES = 6 };

#endif
