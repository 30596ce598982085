// The pictures of a form that edits an org: uploaded pictures come back with the form until it is saved, also after an error.

const PICTURE = /^\/api\/images\/org\/[\w-]+(?:\?size=\d{1,5}x\d{1,5})?$/
const MAX_PICTURES = 20

/** What a form has of pictures, in fields that are text. */
export interface Uploaded {
  /** A banner that was uploaded and not saved yet. */
  banner: string | undefined
  /** Pictures for the text, the oldest first. */
  pictures: readonly string[]
}

/** Reads the fields `uploadedBanner` and `uploaded`; anything that is no address of a picture is left out. */
export function uploadedIn(typed: (name: string) => string | undefined): Uploaded {
  const banner = typed('uploadedBanner')
  const pictures = (typed('uploaded') ?? '').split(/\s+/).filter((url) => PICTURE.test(url))
  return { banner: banner && PICTURE.test(banner) ? banner : undefined, pictures: pictures.slice(-MAX_PICTURES) }
}

/** The box that appends a picture to the text when the form is saved. */
export const boxOf = (url: string): string => `append${url}`

/** The line of Markdown that shows a picture. */
export const lineOf = (url: string, alt: string): string => `![${alt}](${url})`

/** A text with pictures at its end, each a paragraph; those that are in it already are not added. */
export function withPictures(text: string, urls: readonly string[], alt: string): string {
  const lines = urls.filter((url) => !text.includes(url)).map((url) => lineOf(url, alt))
  return [text.trimEnd(), ...lines].filter(Boolean).join('\n\n')
}
