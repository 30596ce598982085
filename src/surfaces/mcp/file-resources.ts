// Files by the addresses that results link to: their bytes in base64, and the hash of these bytes.
import { createHash } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { placesOf } from '../../contract/operation.ts'
import { MAX_MESSAGE_BYTES } from '../../contract/sizes.ts'
import { callOperation, type Exchange } from './call.ts'
import { candidatesOf, type ResourceOptions } from './resources.ts'
import { UNTRUSTED } from './untrusted.ts'

/** The file at an address; undefined where there is none. A token that it lacks is asked for in place of the answer. */
export async function readFile(address: string, options: ResourceOptions, exchange: Exchange) {
  const { core, resources } = options
  const { caller } = exchange
  const { baseUrl } = core.dependencies.config
  const { search = '', searchParams } = URL.parse(address) ?? {}
  const path = address.slice(0, address.length - search.length)
  for (const { bound, input: named } of candidatesOf(path, { resources, baseUrl })) {
    const asked = placesOf(bound.operation).query.flatMap((name) => {
      const value = searchParams?.get(name)
      return value == null ? [] : [[name, value]]
    })
    const input = { ...Object.fromEntries(asked), ...named }
    const outcome = await callOperation({ bound, input }, { core, caller })
    if ('refused' in outcome) exchange.challenge ??= outcome.refused.challenge
    if ('result' in outcome && outcome.file) return { contents: [await contentOf(address, outcome.file)] }
  }
  return undefined
}

/** Larger ones are fetched over HTTP. */
async function contentOf(uri: string, answer: Response) {
  const size = Number(answer.headers.get('content-length'))
  if (!(size <= MAX_MESSAGE_BYTES)) {
    await answer.body?.cancel()
    const words = `This file has ${size} bytes, and ${MAX_MESSAGE_BYTES} can be read here: get it by HTTP with the same token`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, words)
  }
  const bytes = Buffer.from(await answer.arrayBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';')
  const meta = { ...UNTRUSTED, 'guildhall/sha256': sha256, 'guildhall/size': bytes.byteLength }
  return { uri, mimeType, blob: bytes.toString('base64'), _meta: meta }
}
