// Looking into an item. What takes long (archives, large workflows) is read in a thread of its own, in turn with other callers.
import { factsOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { readOrgChart } from '../../formats/org-chart.ts'
import type { readWorkflowGraph, WorkflowGraph } from '../../formats/workflow-graph.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { withArtifactFile } from '../../storage/blobs.ts'
import { GivenUp, inThread, type Job, jobOf } from '../../workers/workers.ts'
import type { Kind } from '../items/item-contract.ts'
import { type ReadContext, type VersionRequest, versionAsked } from '../records/record.ts'
import { detailsOfVersion } from '../records/version-details.ts'
import type { looking } from './contract.ts'
import { type readEntry, readWhole } from './read-entry.ts'

const MAX_MILLISECONDS = 10_000
const entryJob = jobOf<typeof readEntry>(import.meta.resolve('./read-entry.ts'), 'readEntry', MAX_MILLISECONDS)
const chartJob = jobOf<typeof readOrgChart>(
  import.meta.resolve('../../formats/org-chart.ts'),
  'readOrgChart',
  MAX_MILLISECONDS,
)
const graphJob = jobOf<typeof readWorkflowGraph>(
  import.meta.resolve('../../formats/workflow-graph.ts'),
  'readWorkflowGraph',
  MAX_MILLISECONDS,
)

/** Each has at most some 100 KB. */
const MAX_GRAPHS = 50
/** By the hash of the file, so that they never change; oldest first. */
const graphs = new Map<string, WorkflowGraph>()
const noGraph: WorkflowGraph = { nodes: [], links: [], left_out: { nodes: 0, links: 0 } }

/** Runs a job in turn with those of other callers; throws `unavailable` where it takes too long. */
async function inTurn<Input, Output>(
  { worker }: Pick<Context, 'worker'>,
  job: Job<Input, Output>,
  input: Input,
): Promise<Output> {
  return inThread(job, input, worker()).catch((error: unknown) => {
    if (error instanceof GivenUp) throw new Problem('unavailable', 'This file takes too long to read; download it')
    throw error
  })
}

type FileRequest = VersionRequest & { path: string; encoding?: 'base64' | undefined }

async function readFile(context: ReadContext, { path: entry, encoding, ...asked }: FileRequest) {
  // A file is no less than a part of the download.
  if (!context.config.publicDownloads) context.requireCaller()
  const { item, version } = await versionAsked(context, asked)
  const { contents } = await detailsOfVersion(context, item, version)
  const missing = () => new Problem('not_found', `There is no file ${entry} in version ${version.version}`)
  if (!contents.files.some(({ path }) => path === entry)) throw missing()
  const isWhole = encoding === 'base64'
  const found = await withArtifactFile(context.blobs, version, (path) =>
    factsOf(item.kind).archive ? inTurn(context, entryJob, { path, entry, isWhole }) : readWhole(path, isWhole),
  )
  if (!found) throw missing()
  const { size, text, base64 } = found
  const truncated = text !== null && Buffer.byteLength(text) < size
  return { version: version.version, path: entry, size, text, truncated, ...(base64 !== undefined && { base64 }) }
}

async function readGraph(context: ReadContext, asked: VersionRequest) {
  const { item, version } = await versionAsked(context, asked)
  return { version: version.version, ...(await graphOf(context, item.kind, version)) }
}

async function graphOf(context: Context, kind: Kind, version: { sha256: string; size: number }) {
  if (factsOf(kind).drawn !== 'graph') return noGraph
  const { sha256 } = version
  const graph =
    graphs.get(sha256) ?? (await withArtifactFile(context.blobs, version, (path) => inTurn(context, graphJob, path)))
  graphs.delete(sha256)
  graphs.set(sha256, graph)
  for (const oldest of graphs.keys()) if (graphs.size > MAX_GRAPHS) graphs.delete(oldest)
  return graph
}

/** Up to here the worst definition takes some 10 ms. */
const MAX_CHART_AT_ONCE = 8 * 1024
const noChart = { role_count: 0, roles: [], communication: [] }

async function readChart(context: ReadContext, asked: VersionRequest) {
  const { item, version } = await versionAsked(context, asked)
  if (factsOf(item.kind).drawn !== 'chart') return { version: version.version, ...noChart }
  const chart = await withArtifactFile(context.blobs, version, (path) =>
    version.size <= MAX_CHART_AT_ONCE ? readOrgChart(path) : inTurn(context, chartJob, path),
  )
  return { version: version.version, ...chart }
}

export function lookingHandlers(given: Pick<ReadContext, 'readFile'>): Handlers<typeof looking> {
  const file = (context: Context, asked: FileRequest) => readFile({ ...context, ...given }, asked)
  const graph = (context: Context, asked: VersionRequest) => readGraph({ ...context, ...given }, asked)
  const chart = (context: Context, asked: VersionRequest) => readChart({ ...context, ...given }, asked)
  return { readFile: file, findFile: file, graph, findGraph: graph, chart, findChart: chart }
}
