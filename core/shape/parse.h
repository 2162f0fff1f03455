/* parse.h: the grammar of a shape's text, for texts that hold more than the shape. */
#ifndef MV_SHAPE_PARSE_H
#define MV_SHAPE_PARSE_H

#include "shape/lexer.h"
#include "shape/shape.h"

/* Read the shape at the lexer's place and move the lexer behind its last character. Fails as mv_shape_parse does. */
bool mv_shape_parse_at(mv_shape *out, mv_lexer *lexer, mv_arena *arena);

/* The same where nothing but white space and comments may follow. */
bool mv_shape_parse_rest(mv_shape *out, mv_lexer *lexer, mv_arena *arena);

#endif
