// Cookies of the site, all with the same protection.

/** A cookie's name. On https a browser itself holds a `__Host-` cookie to this host, the whole path and TLS. */
export const cookieNamed = (baseUrl: string, name: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name

/** A Set-Cookie value for `cookieNamed`; 0 seconds clear the cookie. */
export function cookieLine(baseUrl: string, name: string, { value, seconds }: { value: string; seconds: number }) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieNamed(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
