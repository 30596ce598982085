// The scan of what is published: what was found in a version, a check before it is published, and what its owner says to it.
import { z } from 'zod'
import { Id, Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { MAX_ARTIFACT_BYTES } from '../changing/contract.ts'
import { browse, write } from '../items/area.ts'
import { ItemSlug, KIND_SEGMENT, KindName, orEmpty, VersionText } from '../items/item-contract.ts'
import { scanRules, severities, verdicts } from './rules.ts'

const Findings = z.array(
  z
    .object({
      rule: z.enum(scanRules).meta({ example: 'fetch-and-run' }),
      severity: z.enum(severities).meta({ example: 'severe' }),
      path: textLike('scripts/setup.sh').meta({
        description:
          'The file; `<automation>.mpkg/<path>` within a package that a workflow carries; empty for the name of the item',
      }),
      line: z.int().nullable().meta({ example: 3, description: 'From 1; null where it is about the whole file' }),
      reason: textLike('what is fetched is run by a shell').meta({ description: 'Never has the secret itself' }),
    })
    .meta({ id: 'ScanFinding' }),
)
const Verdict = z.enum(verdicts).meta({
  example: 'severe',
  description:
    'The worst that was found; unfinished: the scan could not finish; unscanned: published before there was a scan',
})
const Warnings = z
  .array(z.object({ path: textLike('roles.1.reports_to'), message: textLike('no role has the id "boss"') }))
  .meta({ description: 'What the file says that means nothing' })

const Scan = z
  .object({
    version: textLike('1.2.0'),
    verdict: Verdict,
    findings: Findings.meta({ description: 'At most 100, the worst first' }),
    scanned_at: Timestamp.nullable(),
    answer: z
      .object({ text: textLike('It installs the tool that the README names.'), answered_at: Timestamp })
      .nullable()
      .meta({ example: null, description: 'What the owner says to the findings' }),
    warnings: Warnings.optional().meta({ description: 'For those who can edit the item' }),
  })
  .meta({ id: 'ItemScan' })

const asked = { version: orEmpty(VersionText) }
const shared = { method: 'GET', access: browse, output: Scan, problems: ['not_found'] } as const

export const scanning = {
  scan: {
    ...shared,
    summary: 'What the scan found in an item',
    synonyms: ['security scan', 'findings', 'is it safe'],
    description: 'Scanned once, before the version was published. The current version unless one is asked for.',
    path: '/library/items/{id}/scan',
    input: z.object({ id: Id, ...asked }),
  },
  findScan: {
    ...shared,
    summary: 'What the scan found in an item, by kind and slug',
    path: '/library/items/{kind}/{slug}/scan',
    segments: { kind: KIND_SEGMENT },
    input: z.object({
      kind: KindName,
      slug: ItemSlug,
      ...asked,
    }),
  },
  scanFile: {
    summary: 'Check a file as a publication would, and publish nothing',
    synonyms: ['validate file', 'lint workflow', 'test upload', 'scan file', 'check before publishing'],
    description:
      'Reads and scans it: what it refuses a publication refuses, and its findings are those of a publication.',
    method: 'POST',
    kind: 'library',
    path: '/library/scan',
    access: write,
    budget: 'checks',
    input: z.object({}),
    upload: {
      fields: z.object({ kind: KindName }),
      files: { file: { maxBytes: MAX_ARTIFACT_BYTES, maxFiles: 1, required: true, example: 'digest.json' } },
    },
    output: z.object({ verdict: Verdict, findings: Findings, warnings: Warnings }).meta({ id: 'FileScan' }),
    problems: ['invalid_artifact', 'too_large'],
  },
  answerScan: {
    summary: 'Say something to the findings of a version',
    description:
      'Those who can publish versions of the item; readers see it beside the findings. An empty text takes it back.',
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/scan/answer',
    access: write,
    budget: 'comments',
    input: z.object({
      id: Id,
      version: VersionText,
      text: text(0, 1000).meta({ example: 'It installs the tool that the README names.' }),
    }),
    output: Scan,
    problems: ['not_found', 'forbidden', 'gallery_org'],
  },
} satisfies Contract
