// What the API refuses of an upload, as a form shows it: a sentence, beside the field it is about.
export interface UploadRefusal {
  message: string
  field?: string
}

export const SESSION_OVER =
  'You are signed out by now. Sign in in another tab, then send this again: what you typed stays here.'
const TOO_LARGE = 'It is too large. A workflow or an automation may have 20 MB, an org 500 KB.'
const sentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

/** Reads an answer that is not a success; `body` is its JSON, where it has one. */
export function refusalOf(status: number, body: unknown): UploadRefusal {
  const { code = '', message = '' } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  if (status === 401) return { message: SESSION_OVER }
  if (code === 'invalid_artifact') return { field: 'file', message: `It was not taken: ${message}` }
  if (status === 413) return { field: 'file', message: TOO_LARGE }
  const named = /^([a-z]+)(?:\.\d+)?: (.+)$/s.exec(message)
  if (code === 'version_conflict' && named) {
    return { field: 'version', message: `A new version must have a higher number than the last: ${named[2]}.` }
  }
  if (named?.[1] === 'tags' && message.startsWith('tags.')) return { field: 'tags', message: `Each tag ${named[2]}` }
  if (named) return { field: named[1], message: sentence(named[2]!) }
  return { message: sentence(message) || 'It did not arrive: something broke on our side. Try again.' }
}
