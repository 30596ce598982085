// Pictures that members uploaded, in the widths that a screen may need: a browser fetches the smallest that is sharp.
import { pictureWidths } from '../../../src/content/pictures-contract.ts'

const PICTURE =
  /^(\/api\/images\/(?:text|org)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?size=\d{1,5}x\d{1,5})?$/

/** The `sizes` of a picture in a text: as wide as its column (`.prose`), or the screen. */
export const IN_TEXT = 'min(100vw, 44rem)'

/**
 * The `srcset` of an address; undefined where there is only the picture itself.
 *
 * @param own its width in px, as far as that is known
 */
export function widthsOf(address: string, own?: number): string | undefined {
  const [, path] = PICTURE.exec(address) ?? []
  if (!path) return undefined
  const widest = own ?? Number.POSITIVE_INFINITY
  const narrower = pictureWidths.filter((width) => width < widest).map((width) => `${path}?width=${width} ${width}w`)
  if (narrower.length === 0) return undefined
  return [...narrower, ...(narrower.length < pictureWidths.length ? [`${path} ${own}w`] : [])].join(', ')
}
