// Pictures in texts: their addresses, and how long one stays that no text names. Pure.

/** A picture that no text names, and no draft of the account that uploaded it. */
export const LOOSE_SECONDS = 86_400

/** The address of a picture with its size in px, so that a page leaves room for it before it comes. */
export const addressOf = ({ id, width, height }: { id: string; width: number; height: number }): string =>
  `/api/images/text/${id}?size=${width}x${height}`
