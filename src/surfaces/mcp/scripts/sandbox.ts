// The work of a thread: runs a script of an agent in QuickJS, compiled to WebAssembly, as far as it comes without an answer. The script has
// the language and `api`; it reaches nothing of Node, and the host gives it no function to call: what it wants is read from it as text. A
// script that waits for answers is run again from the start with them. It does the same again, as it has one clock and one seed.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { JSValueHandle, QuickJS } from 'quickjs-wasi'
import { parseJson } from '../../../runtime/untyped.ts'

/** A call that the script wants to be made. */
export interface Wish {
  /** Of the operation. */
  name: string
  input: unknown
  how: unknown
}

/** The results of calls, in the order in which they were wanted. */
export type Reply = { value: unknown } | { error: string }

export interface Stage {
  script: string
  /** The answers so far: what was wished for at once is answered at once. */
  replies: readonly (readonly Reply[])[]
  /** The moment of the script. */
  now: number
  maxMilliseconds: number
}

/** What the script returned, as JSON; what it threw; or what it waits for. */
export type StageOutcome = { json: string } | { thrown: string } | { wishes: Wish[] }

const MEMORY_BYTES = 16 * 1024 ** 2
const STACK_BYTES = 256 * 1024
/** Of what it returns, in characters. */
export const MAX_RESULT = 100_000
const MAX_THROWN = 500

/** In the sandbox, before the script. What it keeps of the language is as it was then. */
const PRELUDE = `(() => {
  'use strict'
  const { stringify, parse } = JSON
  const waiting = []
  let ended
  const want = (name, input, how) =>
    new Promise((resolve, reject) => waiting.push({ name, input, how, resolve, reject }))
  const named = (make) => new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined),
  })
  const api = named((slice) => named((verb) => (input = {}, how = {}) => want(slice + '.' + verb, input, how)))
  Object.defineProperty(globalThis, 'api', { value: api })
  let sent = []
  return {
    begin(script) {
      script()
        .then((value) => { ended = { json: stringify(value) ?? 'null' } })
        .then(undefined, (error) => { ended = { thrown: String((error && error.message) || error) } })
    },
    take() {
      if (ended) return stringify(ended)
      sent = waiting.splice(0)
      return stringify({ wishes: sent.map(({ name, input, how }) => ({ name, input, how })) })
    },
    give(text) {
      const replies = parse(text)
      sent.forEach(({ resolve, reject }, at) =>
        'error' in replies[at] ? reject(new Error(replies[at].error)) : resolve(replies[at].value))
    },
  }
})()`

let compiled: Promise<WebAssembly.Module> | undefined
const compile = async () =>
  WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))))

/** Runs the script until it ends or waits. */
export async function runStage(stage: Stage): Promise<StageOutcome> {
  const { QuickJS: Engine } = await import('quickjs-wasi')
  compiled ??= compile()
  const spent = cpuWatch(stage.maxMilliseconds)
  const vm = await Engine.create({
    wasm: await compiled,
    memoryLimit: MEMORY_BYTES,
    maxStackSize: STACK_BYTES,
    interruptHandler: spent,
    timezoneOffset: 0,
    wasi: (memory) => ({
      clock_time_get(_clock, _precision, at) {
        new DataView(memory.buffer).setBigUint64(at, BigInt(stage.now) * 1_000_000n, true)
        return 0
      },
      random_get: () => 0,
      fd_write: () => 8,
    }),
  })
  try {
    return outcomeIn(vm, stage)
  } catch (error) {
    return { thrown: spent() ? TOO_LONG : explained(error) }
  }
}

export const TOO_LONG = 'The script took too long: ask for less at once, and compute less'

function outcomeIn(vm: QuickJS, { script, replies }: Stage): StageOutcome {
  const host = vm.evalCode(PRELUDE, 'api')
  const call = (name: string, ...given: JSValueHandle[]) =>
    vm.callFunction(host.getProp(name), vm.getUndefined(), ...given)
  // A function of its own: so it can return and await.
  call('begin', vm.evalCode(`(async () => {'use strict';\n${script}\n})`, 'script'))
  settle(vm)
  for (const round of replies) {
    call('take')
    call('give', vm.newString(JSON.stringify(round)))
    settle(vm)
  }
  const outcome = outcomeFrom(parseJson<unknown>(call('take').toString()))
  if ('thrown' in outcome) return { thrown: outcome.thrown.slice(0, MAX_THROWN) }
  if ('json' in outcome && outcome.json.length > MAX_RESULT) {
    return { thrown: `The result has more than ${MAX_RESULT} characters: return less` }
  }
  if ('wishes' in outcome && outcome.wishes.length === 0) {
    return { thrown: 'The script waits for something that never comes: await calls of api alone' }
  }
  return outcome
}

/** What the sandbox says of itself, which a script may have tampered with. */
function outcomeFrom(said: unknown): StageOutcome {
  const { json, thrown, wishes } = Object(said) as Record<string, unknown>
  if (typeof json === 'string') return { json }
  if (typeof thrown === 'string') return { thrown }
  if (!Array.isArray(wishes)) return { thrown: 'The script changed what it runs in' }
  return { wishes: wishes.map(Object).map(({ name, input, how }) => ({ name: String(name), input, how })) }
}

/** Goes on until there is nothing more to do without an answer. */
function settle(vm: QuickJS): void {
  while (vm.executePendingJobs() > 0) {}
}

/** Whether the thread has used that much CPU time since now. */
function cpuWatch(maxMilliseconds: number): () => boolean {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const end = used() + maxMilliseconds
  return () => used() > end
}

/** An error of the engine in words: of the syntax, of memory, of the stack. */
function explained(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  return `${name}: ${message}`.slice(0, MAX_THROWN)
}
