// What items name, and what names them.
import { z } from 'zod'
import { Id, NameOrNull, NextCursor, textLike, UsernameOrNull } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { byEither, pages, VersionAsked } from '../items/finding-contract.ts'
import { kinds } from '../items/item-contract.ts'

const version = textLike('1.2.0')
const kind = z.enum(kinds).meta({ example: 'automation' })
const slug = textLike('harbor-board')

const Reference = z
  .object({
    id: Id,
    kind,
    slug,
    name: textLike('Harbor board'),
    version,
    owner: z.object({ id: Id, username: UsernameOrNull, name: NameOrNull }),
    url: textLike('https://guildhall.example/library/automations/harbor-board').meta({
      description: 'Where the site shows it',
    }),
    href: Href,
    deprecated: z.literal(true).optional(),
  })
  .meta({ id: 'ItemReference' })

const Dependencies = z.object({
  version,
  items: z.array(
    z.object({
      kind,
      slug,
      item: Reference.nullable().meta({
        description: 'The item of this name, of today or from before; null where the caller sees none',
      }),
    }),
  ),
})

const Users = z.object({
  items: z.array(Reference).meta({ description: 'Last made first' }),
  page: z.int().meta({ example: 1 }),
  per_page: z.int().meta({ example: 24 }),
  total: z.int().meta({ example: 1, description: 'Counted up to 1,000; there are no pages beyond' }),
  nextCursor: NextCursor,
})

const dependencies = byEither('dependencies', VersionAsked, {
  summary: 'The items that a version of an item names',
  synonyms: ['requires', 'depends on', 'list dependencies'],
  output: Dependencies,
})
const users = byEither('used-by', pages, {
  summary: 'Items that use an item, of the library and of the gallery',
  synonyms: ['dependents', 'reverse dependencies', 'who uses it'],
  output: Users,
})

export const uses = {
  dependencies: {
    ...dependencies.byId,
    description:
      'A file names an item where a text is nothing but a kind and a slug, such as `automation/harbor-board`; a workflow also by the automations that it requires.',
  },
  findDependencies: dependencies.bySlug,
  usedBy: {
    ...users.byId,
    description:
      'Those that everybody sees and whose current version names it, by its name of today or one that it had before. They keep it from being deleted.',
  },
  findUsedBy: users.bySlug,
} satisfies Contract
