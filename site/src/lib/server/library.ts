// Server code of the library pages: file names, and forms with files streamed to the API.

import { setTimeout } from 'node:timers/promises'
import { type ActionFailure, fail, type RequestEvent, redirect } from '@sveltejs/kit'
import { type Item, type ItemList, itemLists, pathOf, shown } from '#lib/features/library/item-lists.ts'
import { sayerOf } from '#lib/language/script-words.ts'
import { itemFilename } from '../../../../src/contract/item-kinds.ts'
import { refusalOf } from '../../enhance/refusal.ts'
import { found, orRefusal, type Refused, typed } from './answers.ts'
import { forgetDraft } from './sent-draft.ts'

/** The item that the address of a page names. */
export const itemAt = async ({ api }: Pick<App.Locals, 'api'>, { kind, slug }: { kind: ItemList; slug: string }) =>
  shown(await found(api.library.find({ kind: itemLists[kind].kind, slug })))

/** The file name of the current version. */
export const fileNameOf = (item: Item): string => itemFilename(item, item.version)

/** Opens an item in an agent of this machine that knows links of this scheme; undefined where the client's id is no scheme (RFC 3986, 3.1). */
export function agentLink(
  { agentClientId, baseUrl }: Pick<App.Platform, 'agentClientId' | 'baseUrl'>,
  { kind, slug }: Pick<Item, 'kind' | 'slug'>,
): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/i.test(agentClientId)) return undefined
  return `${agentClientId.toLowerCase()}://install?${new URLSearchParams({ item: `${kind}/${slug}`, server: baseUrl })}`
}

/**
 * Streams a form with a file to the API, then redirects to the item. Only the end of the form stays in memory, where
 * the text fields are, to show them again after an error.
 */
export async function passOn(
  { request, locals, url }: RequestEvent,
  { name, input, of }: { name: string; input: Record<string, unknown>; of: string },
): Promise<ActionFailure<Refused>> {
  const contentType = request.headers.get('content-type') ?? ''
  let end: Uint8Array = new Uint8Array()
  const ended = Promise.withResolvers<void>()
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      end = Buffer.concat([end, chunk]).subarray(-MAX_KEPT_BYTES)
      controller.enqueue(chunk)
    },
    flush: () => ended.resolve(),
  })
  const sent = locals.send(name, input, { form: { contentType, body: request.body?.pipeThrough(watched) ?? null } })
  const answer = await orRefusal(sent as Promise<Item>)
  if (!answer.refusal) {
    await forgetDraft(await fieldsIn(end, contentType), { locals, url })
    redirect(303, pathOf(answer.value))
  }
  const { refusal } = answer
  // A form that is too large is refused before its end; read the rest and discard it.
  if (refusal.status === 413) await Promise.race([ended.promise, setTimeout(MAX_WAIT_MILLISECONDS)])
  return fail(refusal.status, {
    ...(await refusalOf(refusal.status, refusal.body, sayerOf(locals.t))),
    typed: typed(await fieldsIn(end, contentType)),
    of,
  })
}

const MAX_KEPT_BYTES = 64 * 1024
const MAX_WAIT_MILLISECONDS = 5000

/** The complete parts at the end of a multipart body. */
async function fieldsIn(end: Uint8Array, contentType: string): Promise<FormData> {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? ''
  const first = Buffer.from(end).indexOf(`--${boundary}\r\n`)
  if (boundary === '' || first < 0) return new FormData()
  const parts = new Response(Uint8Array.from(end.subarray(first)), { headers: { 'Content-Type': contentType } })
  return parts.formData().catch(() => new FormData())
}
