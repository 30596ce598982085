// Work of pages in a worker thread: HTML of texts and files that people wrote, and the charts of orgs. The thread runs the site's own modules,
// from their sources.
import { readerAt } from '../../budgets/network.ts'
import { inThread, jobOf } from '../../workers/workers.ts'

type Work = (input: unknown) => unknown

const moduleOf = (name: string) => import.meta.resolve(`../../../site/src/lib/server/${name}`)

/** Longer than the slowest text on a busy machine; after that the text is shown as plain text. */
const MAX_MILLISECONDS = 5_000

const jobs = {
  markdown: jobOf<Work>(moduleOf('markdown.ts'), 'renderTexts', MAX_MILLISECONDS),
  chart: jobOf<Work>(moduleOf('org-chart.ts'), 'orgChart', MAX_MILLISECONDS),
  code: jobOf<Work>(moduleOf('highlight.ts'), 'highlightSource', MAX_MILLISECONDS),
} as const

/** Runs one of the jobs, in turn with those of other networks. Rejects as `inThread` does. */
export const workFor = (address: string) => (name: keyof typeof jobs, input: unknown) =>
  inThread(jobs[name], input, readerAt(address))
