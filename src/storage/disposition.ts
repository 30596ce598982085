// The Content-Disposition of a file: how a browser handles it, and its name.

/** `Content-Disposition` (RFC 6266) with a plain name for old clients and the full one, in UTF-8, for all others (RFC 8187). */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}
