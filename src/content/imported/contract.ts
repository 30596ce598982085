// Fields of things that other trackers had before.
import { z } from 'zod'
import { textLike } from '../../contract/fields.ts'

export const FullText = {
  fullText: textLike('On the night of the change the workflow ran at 02:30 and again an hour later.').optional().meta({
    id: 'FullText',
    description: 'The whole text, where it is longer than its field, which ends with …; of things, not in lists',
  }),
}

export const Origin = {
  importedFrom: z
    .object({
      source: textLike('github'),
      name: textLike('acme/looms').meta({ description: 'What it came from, such as a repository' }),
      number: z.int().nullable().meta({ description: 'Its number there', example: 42 }),
      url: textLike('https://github.com/acme/looms/issues/42').nullable(),
    })
    .optional()
    .meta({ id: 'ImportedFrom', description: 'Where it came from; not in lists' }),
}
