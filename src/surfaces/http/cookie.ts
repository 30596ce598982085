// Cookies of a request.

/** The value of a cookie whose name holds letters, digits, `_` and `-` alone. */
export const cookieIn = (headers: Headers, name: string): string | undefined =>
  headers.get('cookie')?.match(new RegExp(`(?:^|; ?)${name}=([^;]*)`))?.[1] || undefined
