// What every upload of a picture takes (interface.md, section 8: PNG, JPEG or WebP of at most 2 MB).
import type { UploadRules } from '../contract/files.ts'

export const picture = {
  maxBytes: 2 * 1024 * 1024,
  maxFiles: 1,
  example: 'picture.png',
  required: true,
} as const satisfies UploadRules['files'][string]

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
