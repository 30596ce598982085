// A first start, which builds the site, also has the server built for the next one.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Builds it in a process of its own, with the time that others leave over: this one runs from the sources, and the next start is quick. */
export function buildForNextStart(): void {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./build.ts', import.meta.url))], { stdio: 'ignore' })
  const end = () => child.kill()
  process.once('exit', end)
  child.once('spawn', () => setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW))
  child.once('error', () => {})
  child.once('close', () => process.off('exit', end))
  child.unref()
}
