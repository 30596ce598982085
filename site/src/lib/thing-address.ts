// Addresses of things that have a number: `/community/bugs/6-duplicate-invoices`. The number counts; the words say what it is.
import { wordsOfAddress } from '../../../src/content/slug-rules.ts'

/** Where a thing is shown. `url` is its address by its id, which leads there. */
export function addressOf({ url, number, title }: { url: string; number?: number | null; title: string }): string {
  if (number == null) return url
  const words = wordsOfAddress(title)
  return url.slice(0, url.lastIndexOf('/') + 1) + (words === '' ? number : `${number}-${words}`)
}

/** The number that the last part of such an address begins with. */
export const numberIn = (segment: string): number | undefined =>
  /^[1-9]\d{0,8}(?:-[a-z0-9-]*)?$/.test(segment) ? Number.parseInt(segment, 10) : undefined
