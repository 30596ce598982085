// The content type of an object whose key is used again, with the hash of its bytes: a power cut can come between the bytes and their
// row, and then the object itself tells that it is whole.

const PARAMETER = '; sha256='

export const hashedType = (contentType: string, sha256: string): string => contentType + PARAMETER + sha256

/** The type to serve, and the hash, which an object of an older version does not have. */
export function readHashedType(stored: string): { contentType: string; sha256: string | undefined } {
  const [contentType = '', sha256] = stored.split(PARAMETER)
  return { contentType, sha256 }
}
