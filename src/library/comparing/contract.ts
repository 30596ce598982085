// Comparing two versions of an item: what it may do first, then what it is made of.
import { z } from 'zod'
import { Id, Sha256, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse } from '../items/area.ts'
import { ItemSlug, KIND_SEGMENT, KindName, Outcomes, orEmpty, Permission } from '../items/item-contract.ts'

const VersionSelector = z.string().trim().max(256)
const versions = {
  from: orEmpty(VersionSelector).meta({
    description: 'A version, a range or `latest`; the one before `to` unless told',
    example: '1.1.0',
  }),
  to: orEmpty(VersionSelector).meta({ description: 'The current one unless told', example: '1.2.0' }),
}

const ComparedVersion = z
  .object({ version: textLike('1.2.0'), sha256: Sha256, size: z.int().meta({ example: 2048 }) })
  .meta({ id: 'ComparedVersion' })

const content = { size: z.int().meta({ example: 512 }), sha256: Sha256 }
const Content = z.object(content).meta({ id: 'ComparedContent' })
const File = z.object({ path: textLike('scripts/fetch.js'), ...content }).meta({ id: 'ComparedFile' })

const Hunk = z.object({
  from_line: z.int(),
  to_line: z.int(),
  parts: z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: textLike('const a = 1\n') })),
})

const Diff = z.array(Hunk).nullable().meta({
  description: 'Line by line; null for a file over 64 KiB, for what is no text, and after 200,000 characters in all',
})

const parts = z.array(z.object({ name: textLike('Send'), type: textLike('mail.send') }).meta({ id: 'ComparedPart' }))
const Parts = z.object({ added: parts, removed: parts, changed: parts }).meta({ id: 'ComparedParts' })
const permissions = z.array(Permission)

const ComparedOutcomes = z
  .object({
    from: Outcomes.optional(),
    to: Outcomes.optional(),
    worse: z.boolean().meta({ description: '`to` works less often than `from`: by 5 of 100 or more, sure at 95 %' }),
  })
  .meta({ id: 'ComparedOutcomes' })

const Comparison = z
  .object({
    from: ComparedVersion.nullable().meta({ description: 'null for the first version: all of it is new' }),
    to: ComparedVersion,
    permissions: z
      .object({ added: permissions, removed: permissions, kept: permissions })
      .meta({ description: '`added` is what `to` may do and `from` may not; always whole' }),
    outcomes: ComparedOutcomes,
    files: z.object({
      added: z.array(File),
      removed: z.array(File),
      changed: z.array(z.object({ path: textLike('scripts/fetch.js'), from: Content, to: Content, diff: Diff })),
      unchanged: z.int(),
    }),
    steps: Parts.meta({ description: 'Steps of the actions of an automation' }),
    nodes: Parts.meta({ description: 'Nodes of a workflow, or roles of an org' }),
    truncated: z.boolean().meta({ description: 'Files, steps or nodes are left out: at most 500 in a list' }),
  })
  .meta({ id: 'Comparison' })

/** What is described to agents. */
const outline = z.object({
  outcomes: z.object({ worse: z.boolean() }),
  permissions: z.object({ added: permissions, removed: permissions, kept: permissions }),
})

const shared = {
  method: 'GET',
  access: browse,
  output: Comparison,
  problems: ['not_found', 'invalid_artifact', 'unavailable'],
} as const

export const comparing = {
  compare: {
    ...shared,
    summary: 'What a version of an item may newly do, and what changed in it',
    synonyms: ['diff versions', 'compare versions', 'changes between versions'],
    path: '/library/items/{id}/compare',
    tool: { name: 'compare_library_versions', title: 'Compare two versions of a library item', outline },
    input: z.object({ id: Id, ...versions }),
  },
  findCompare: {
    ...shared,
    summary: 'What changes from one version of an item to another, by kind and slug',
    path: '/library/items/{kind}/{slug}/compare',
    tool: { name: 'compare_library_versions' },
    segments: { kind: KIND_SEGMENT },
    input: z.object({
      kind: KindName,
      slug: ItemSlug,
      ...versions,
    }),
  },
} satisfies Contract
