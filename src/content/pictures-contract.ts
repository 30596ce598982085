// What every upload of a picture takes (interface.md, section 8: PNG, JPEG or WebP of at most 2 MB).
import { z } from 'zod'
import type { UploadRules } from '../contract/files.ts'
import { avatarWidths } from '../contract/sizes.ts'

export const picture = {
  maxBytes: 2 * 1024 * 1024,
  maxFiles: 1,
  example: 'picture.png',
  required: true,
} as const satisfies UploadRules['files'][string]

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** In px: pages ask for pictures in these widths, so that a phone fetches no more than it shows. The last is twice the widest column. */
export const pictureWidths = [480, 960, 1440] as const

/** A narrower form of a picture. No other width is made, so that a client cannot have thousands of them made. */
const widthOf = (widths: readonly number[], example: string) =>
  z
    .enum(widths.map(String))
    .optional()
    .meta({ description: 'In px: a picture that is wider comes as a WebP of that width', example })
export const PictureWidth = widthOf(pictureWidths, '960')
export const AvatarWidth = widthOf(avatarWidths, '48')
