// How messages name a server: by what it calls itself in its metadata (RFC 9728, 2), with its address, because anyone can take a name. Messages
// about keys and proofs have the address alone.
import { jsonOf } from '../../client/src/fetching.ts'
import type { Context } from './command.ts'
import { line } from './text.ts'

const MAX_NAME = 60

/** `Guildhall (https://guildhall.example)`; the address alone where the server tells no name. */
export async function serverName({ fetch, signal }: Pick<Context, 'fetch' | 'signal'>, url: string): Promise<string> {
  const told = await metadataOf({ fetch, signal }, url)
  const name = typeof told === 'string' ? line(told).slice(0, MAX_NAME) : ''
  return name === '' ? line(url) : `${name} (${line(url)})`
}

async function metadataOf({ fetch, signal }: Pick<Context, 'fetch' | 'signal'>, url: string): Promise<unknown> {
  try {
    const response = await fetch(`${url}/.well-known/oauth-protected-resource/api`, { signal })
    return Object(await jsonOf(response, signal)).resource_name
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
