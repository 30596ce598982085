// How large a message may be, by what it asks for: files are large, words are not (behaviour.md, section 6).
import { placesOf } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_MESSAGE_BYTES } from '../../contract/sizes.ts'
import { DEFAULT_BODY_LIMIT } from '../../core/json-body.ts'
import type { Toolbox } from './toolbox.ts'
import { type Arguments, isRecord } from './tools.ts'

/** Of a message that is no call, or a call whose arguments travel in an address. */
const MAX_SMALL_BYTES = 64 * 1024
/** What stands around the arguments of a call. */
const ENVELOPE_BYTES = 4 * 1024
/** Of a batch: each call in it is a request of its own. */
const MAX_BATCH = 20
/** What of a call travels in an address: as much as a server takes in one. */
const MAX_ADDRESS = 8 * 1024

/** @throws Problem too_large, or invalid_request for a batch of none or too many */
export function requireWithin(message: unknown, bytes: number, toolbox: Toolbox): void {
  const messages = [message].flat()
  if (messages.length === 0) throw new Problem('invalid_request', 'A batch has at least one message')
  if (messages.length > MAX_BATCH) {
    throw new Problem('invalid_request', `A batch has at most ${MAX_BATCH} messages`)
  }
  const limit = Math.max(...messages.map((one) => limitOf(one, toolbox)))
  if (bytes > limit) throw new Problem('too_large', `This message has at most ${limit} bytes`)
}

function limitOf(message: unknown, toolbox: Toolbox): number {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params'])) return MAX_SMALL_BYTES
  const { name, arguments: input } = message['params']
  const operation = toolbox.callOf(String(name), isRecord(input) ? input : {})?.bound.operation
  if (!operation) return MAX_SMALL_BYTES
  if (operation.upload) return MAX_MESSAGE_BYTES
  if (placesOf(operation).body.length === 0) return MAX_SMALL_BYTES
  return (operation.bodyLimitBytes ?? DEFAULT_BODY_LIMIT) + ENVELOPE_BYTES
}

/** What is wrong with arguments that are too long for an address; undefined where they fit. */
export function problemWithAddress(names: readonly string[], input: Arguments): string | undefined {
  let room = MAX_ADDRESS
  for (const name of names) {
    room -= String(input[name] ?? '').length
    if (room < 0) return `${name}: is too long`
  }
  return undefined
}
