/** With a keyboard Enter sends; on a touch screen it begins a line. */
export const hasKeyboard = matchMedia('(pointer: fine)').matches
