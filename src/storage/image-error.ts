// Why an image is refused, in a sentence for its sender.
export type ImageProblem = 'unsupported' | 'too_large' | 'unreadable' | 'too_slow'

export class ImageError extends Error {
  override name = 'ImageError'
  code: ImageProblem
  constructor(code: ImageProblem, message: string) {
    super(message)
    this.code = code
  }
}

export const imageTooLarge = (maxBytes: number) =>
  new ImageError('too_large', `The image is larger than ${maxBytes / 1024 / 1024} MB`)
