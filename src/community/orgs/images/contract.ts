// Pictures for an org's banner and text (interface.md, section 4, Org gallery; behaviour.md, section 2, Images).
import { z } from 'zod'
import { everybody, write } from '../../../content/area.ts'
import { Reason } from '../../../content/hiding/moderation-contract.ts'
import { PictureWidth, picture, pictureTypes } from '../../../content/pictures-contract.ts'
import { EXAMPLE_ID, Id, textLike } from '../../../contract/fields.ts'
import { memberFile } from '../../../contract/files.ts'
import type { Contract } from '../../../contract/operation.ts'
import { OrgRef } from '../contract.ts'
import { orgActions } from '../subject.ts'

export const orgImages = {
  add: {
    summary: 'Add an image to an org, for its banner or its text: its owner, or a moderator',
    description:
      'PNG, JPEG or WebP by its bytes, at most 2 MB and 25 megapixels. It is decoded and written again, so that nothing but the picture stays.',
    method: 'POST',
    kind: 'orgs',
    path: '/community/orgs/{id}/images',
    access: write,
    audit: [orgActions.addImage],
    budget: 'images',
    input: z.object({ id: OrgRef }),
    upload: {
      fields: z.object({ reason: Reason }),
      files: { image: picture },
    },
    output: z.object({
      url: textLike(`/api/images/org/${EXAMPLE_ID}`).meta({
        description: 'Where it is served; `/api/images/org/<key>`',
      }),
      width: z.int().meta({ example: 800, description: 'In px' }),
      height: z.int().meta({ example: 600, description: 'In px' }),
    }),
    status: 201,
    problems: ['not_found', 'forbidden', 'rate_limited'],
  },
  show: {
    summary: 'An image of an org',
    description: 'Never changes under its address, so that it may be kept for good.',
    method: 'GET',
    path: '/images/org/{key}',
    access: everybody,
    input: z.object({ key: Id, width: PictureWidth }),
    output: memberFile(...pictureTypes),
    problems: ['not_found'],
  },
} satisfies Contract
