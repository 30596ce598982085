// What git sends, written by hand.

/** A line with its length before it. */
export const line = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
