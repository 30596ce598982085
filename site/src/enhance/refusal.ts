// Turns an API error of an upload into a sentence for a form field.
import type { Sayer } from '../lib/language/script-words.ts'

export interface UploadRefusal {
  message: string
  field?: string
}

const sentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

/** Reads an error response; `body` is its JSON, if it has one. */
export async function refusalOf(status: number, body: unknown, { word, said }: Sayer): Promise<UploadRefusal> {
  const { code = '', message = '' } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  if (status === 401) return { message: word('upload.sessionOver') }
  if (code === 'invalid_artifact')
    return { field: 'file', message: word('upload.refused', { why: await said(message) }) }
  if (status === 413) return { field: 'file', message: word('upload.tooLargeFor') }
  if (code === 'suspicious')
    return { field: 'stop_for', message: word('upload.suspicious', { why: sentence(await said(message)) }) }
  const [, field, words = message] = /^([a-z]+)(?:\.\d+)?: (.+)$/s.exec(message) ?? []
  const why = await said(words)
  if (code === 'version_conflict' && field) return { field: 'version', message: word('upload.version', { why }) }
  if (message.startsWith('tags.') && field) return { field, message: word('upload.tag', { why }) }
  return { field, message: sentence(why) || word('upload.failed') }
}
