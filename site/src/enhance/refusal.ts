// Turns an API error of an upload into a sentence for a form field.
export interface UploadRefusal {
  message: string
  field?: string
}

const SESSION_OVER = 'You are signed out. Sign in in another tab, then send this again. What you typed stays here.'
const TOO_LARGE = 'The file is too large. The limit is 20 MB for workflows and automations, 500 KB for orgs.'
const sentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

/** Reads an error response; `body` is its JSON, if it has one. */
export function refusalOf(status: number, body: unknown): UploadRefusal {
  const { code = '', message = '' } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  if (status === 401) return { message: SESSION_OVER }
  if (code === 'invalid_artifact') return { field: 'file', message: `The file was refused: ${message}` }
  if (status === 413) return { field: 'file', message: TOO_LARGE }
  if (code === 'suspicious') {
    return { field: 'stop_for', message: `${sentence(message)}. Remove it, or choose to publish anyway.` }
  }
  const named = /^([a-z]+)(?:\.\d+)?: (.+)$/s.exec(message)
  if (code === 'version_conflict' && named) {
    return { field: 'version', message: `The version must be higher than the latest: ${named[2]}.` }
  }
  if (named?.[1] === 'tags' && message.startsWith('tags.')) return { field: 'tags', message: `Each tag ${named[2]}` }
  if (named) return { field: named[1], message: sentence(named[2]!) }
  return { message: sentence(message) || 'The upload failed: something went wrong on our side. Try again.' }
}
