// Cuts the power at many points of a recording, and checks the disk that is left under each rule.
import { join } from 'node:path'
import { findingsIn } from './check.ts'
import { type Call, Disk, rules } from './disk.ts'
import { record } from './record.ts'

export interface Result {
  rule: string
  disks: number
  findings: { cut: number; sentences: string[] }[]
}

/** Records `rounds` of work in this empty folder, and cuts the power at about `cuts` points. */
export async function powercut(folder: string, { cuts, rounds }: { cuts: number; rounds: number }) {
  const { calls, rootInode, acknowledged, files } = await record(folder, rounds)
  const results: Result[] = rules.map(({ name }) => ({ rule: name, disks: 0, findings: [] }))
  const points = pointsOf(calls, cuts)
  const disk = new Disk(rootInode)
  for (const [index, call] of calls.entries()) {
    disk.apply(call)
    if (!points.has(index)) continue
    const known = acknowledged.filter(({ at }) => at <= call.at)
    for (const [number, rule] of rules.entries()) {
      const result = results[number]!
      const expected = { folder: join(folder, 'cut'), acknowledged: known, final: files }
      const sentences = await findingsIn(disk.filesAfter(rule), expected)
      result.disks++
      if (sentences.length > 0) result.findings.push({ cut: index, sentences })
    }
  }
  return { calls: calls.length, acknowledged: acknowledged.length, results }
}

/** The points to cut at: spread evenly over the changes of names and both ends of fsyncs, and the last call. */
function pointsOf(calls: readonly Call[], cuts: number): ReadonlySet<number> {
  const candidates = calls.flatMap(({ name }, index) => (name === 'write' ? [] : [index]))
  const step = Math.max(1, candidates.length / cuts)
  const points = new Set<number>([calls.length - 1])
  for (let at = 0; at < candidates.length; at += step) points.add(candidates[Math.floor(at)]!)
  return points
}
