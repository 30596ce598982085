// Pictures for texts in Markdown (behaviour.md, section 2, Images).
import { z } from 'zod'
import { EXAMPLE_ID, Id, textLike } from '../../contract/fields.ts'
import { memberFile } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'
import { open, write } from '../area.ts'
import { PictureWidth, picture, pictureTypes } from '../pictures-contract.ts'

export const textImages = {
  add: {
    summary: 'Add a picture, to name it in a text',
    synonyms: ['upload image', 'attach screenshot', 'insert picture'],
    description:
      'PNG, JPEG or WebP by its bytes, at most 2 MB and 25 megapixels. It is decoded and written again, so that nothing but the picture stays. Name it in a text as `![what it shows](url)`: it then belongs to what the text is of, and goes with that. One that no text names is removed after a day.',
    method: 'POST',
    kind: 'account',
    path: '/community/images',
    widget: true,
    access: write,
    budget: 'images',
    input: z.object({}),
    upload: { fields: z.object({}), files: { image: picture } },
    output: z.object({
      url: textLike(`/api/images/text/${EXAMPLE_ID}?size=800x600`).meta({ description: 'Where it is served' }),
      width: z.int().meta({ example: 800, description: 'In px' }),
      height: z.int().meta({ example: 600, description: 'In px' }),
    }),
    status: 201,
    problems: ['rate_limited'],
  },
  show: {
    summary: 'A picture of a text',
    description:
      'Never changes under its address. It is not found once what it belongs to is hidden or gone, and for who does not read its board.',
    method: 'GET',
    path: '/images/text/{key}',
    access: open,
    input: z.object({ key: Id, width: PictureWidth }),
    output: memberFile(...pictureTypes),
    problems: ['not_found'],
  },
} satisfies Contract
