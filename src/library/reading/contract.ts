// Looking into an item before it is installed: the text of its files, and the graph of a workflow.
import { z } from 'zod'
import { textLike } from '../../contract/fields.ts'
import { OrgChart } from '../../contract/org-chart.ts'
import { isStorable } from '../../contract/storable.ts'
import { byEither, VersionAsked } from '../items/finding-contract.ts'

const version = textLike('1.2.0')

/** Archives refuse longer names. */
const MAX_PATH = 1_024
const FilePath = z
  .string()
  .min(1)
  .max(MAX_PATH)
  .refine(isStorable, 'is not a path')
  .meta({ description: 'A path of `contents`', example: 'scripts/fetch.js' })

const Encoding = z.enum(['base64']).optional().meta({ description: 'base64: the bytes of the file as well' })

const FileText = z
  .object({
    version,
    path: textLike('scripts/fetch.js'),
    size: z.int().meta({ example: 2048, description: 'Bytes of the whole file, unpacked' }),
    text: textLike('export const fetchAll = async () => []\n')
      .nullable()
      .meta({ description: 'Its first 256 KiB; null for what is not text in UTF-8' }),
    truncated: z.boolean().meta({ description: 'Whether the file is longer than the text' }),
    base64: textLike('ZXhwb3J0')
      .optional()
      .meta({ description: 'The whole file, where `encoding` asks for it and it has at most 4 MiB' }),
  })
  .meta({ id: 'ItemFile' })

const place = z.int().min(0)
const Graph = z
  .object({
    version,
    nodes: z
      .array(z.object({ name: textLike('Every morning'), type: textLike('trigger.cron'), disabled: z.boolean() }))
      .meta({ description: 'In the order of the file; at most 300' }),
    links: z
      .array(z.object({ from: place, to: place, label: textLike('true').nullable() }))
      .meta({ description: '`from` and `to` are places in `nodes`; at most 600' }),
    left_out: z.object({ nodes: z.int(), links: z.int() }).meta({ description: 'How many more there are' }),
  })
  .meta({ id: 'ItemGraph' })

const file = byEither(
  'file',
  { path: FilePath, encoding: Encoding, ...VersionAsked },
  { summary: 'The text of a file of an item', output: FileText },
)
const graph = byEither('graph', VersionAsked, { summary: 'The nodes of a workflow and their links', output: Graph })

const Chart = OrgChart.extend({
  version,
  role_count: z.int().meta({ example: 3, description: 'Of the definition; the chart has the first 1,000' }),
}).meta({ id: 'ItemChart' })
const chart = byEither('chart', VersionAsked, { summary: 'The roles of an org and who talks to whom', output: Chart })

export const looking = {
  readFile: {
    ...file.byId,
    description:
      'Of an automation any file of the package; otherwise the item itself. Anonymous users read as far as they may download (PUBLIC_DOWNLOADS).',
    problems: ['not_found', 'unauthorized'],
  },
  findFile: { ...file.bySlug, problems: ['not_found', 'unauthorized'] },
  graph: { ...graph.byId, description: 'Names are what their author wrote. Items of other kinds have no nodes.' },
  findGraph: graph.bySlug,
  chart: { ...chart.byId, description: 'As its author wrote them. Items of other kinds have no roles.' },
  findChart: chart.bySlug,
} as const
