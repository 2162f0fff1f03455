#include <criterion/criterion.h>
int main_placeholder;
