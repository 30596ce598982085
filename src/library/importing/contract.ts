// Many items at once: a zip of folders with a SKILL.md, or of workflows that n8n exported. For admins, who get the items.
import { z } from 'zod'
import { administer } from '../../content/area.ts'
import { textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { MAX_ARCHIVE_BYTES } from '../../contract/sizes.ts'

/** Of one upload. */
export const MAX_BROUGHT = 100
export const broughtFrom = ['skills', 'n8n'] as const

const Brought = z
  .object({
    file: textLike('tools/pdf').meta({ description: 'Where it is in the archive' }),
    outcome: z
      .enum(['new', 'next', 'same', 'left out'])
      .meta({ description: 'A new item, the next version of one, one that is here as it is, or none' }),
    name: textLike('pdf-tools').nullable().meta({ description: 'The name in the address' }),
    version: textLike('1.0.0').nullable(),
    reason: textLike('the name pdf-tools belongs to another item')
      .nullable()
      .meta({ description: 'Why it is left out' }),
    warnings: z.array(textLike('The description is short')),
    hidden: z.int().min(0).meta({ example: 1, description: 'What is left out of it' }),
  })
  .meta({ id: 'BroughtItem' })

export const itemImports = {
  bring: {
    summary: 'Publish the skills or workflows of an archive as my items',
    description: `Each folder with a SKILL.md is a skill, and each workflow that n8n exported is a workflow: a new item, or the next version of mine by that name. At most ${MAX_BROUGHT} of a zip or .tar.gz, by the bounds of an archive.`,
    method: 'POST',
    kind: 'library',
    path: '/community/admin/item-imports',
    access: { ...administer, credential: 'session' },
    input: z.object({}),
    upload: {
      fields: z.object({
        from: z.enum(broughtFrom).meta({ example: 'skills' }),
        visibility: z.enum(['private', 'public']).default('private').meta({ description: 'Of new items' }),
        tried: z
          .enum(['on', 'off'])
          .default('off')
          .meta({ description: 'Whether it is only said what would come of it' }),
      }),
      files: { file: { maxBytes: MAX_ARCHIVE_BYTES, maxFiles: 1, required: true, example: 'skills.zip' } },
    },
    output: z.object({ items: z.array(Brought) }),
    problems: ['too_large'],
  },
} satisfies Contract
