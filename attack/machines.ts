// What attacks on services of the operator share: the settings that name them, and services that are not meant to be reached.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './target.ts'
import { GaveWay } from './verdict.ts'

const KNOWN_MILLISECONDS = 1_000
const WAIT_MILLISECONDS = 20_000

export const CLASSIFIER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

type Changes = Record<string, string | null>

/** Does it while an admin has set this; what was set is taken back. */
export async function whileSet<Result>(target: Target, changes: Changes, work: () => Promise<Result>): Promise<Result> {
  const { api } = await target.withRole('admin')
  target.service.arrived.length = 0
  await api.settings.change({ changes })
  await sleep(KNOWN_MILLISECONDS)
  try {
    return await work()
  } finally {
    await api.settings.change({ changes: Object.fromEntries(Object.keys(changes).map((name) => [name, null])) })
  }
}

/** Waits until it is so; gives way after a while. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MILLISECONDS; ; await sleep(50)) {
    if (await isSo()) return
    if (Date.now() > end) throw new GaveWay(`it is not so that ${what}`)
  }
}

/** Runs it beside a service of this machine that the operator did not name, and gives how often it was connected to. */
export async function besideATrap(work: (port: number) => Promise<void>): Promise<number> {
  let connections = 0
  const trap = createServer((_, response) => response.end()).on('connection', () => connections++)
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  try {
    await work((trap.address() as AddressInfo).port)
  } finally {
    trap.closeAllConnections()
    trap.close()
  }
  return connections
}
