/* assets.h: the files of viewer/ as bytes, made by cmake/embed.cmake. */
#ifndef MV_PAGE_ASSETS_H
#define MV_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char mv_page_html[];
extern const size_t mv_page_html_size;
extern const unsigned char mv_page_css[];
extern const size_t mv_page_css_size;
extern const unsigned char mv_page_js[];
extern const size_t mv_page_js_size;

#endif
