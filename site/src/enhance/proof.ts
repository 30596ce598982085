// The proof of work that a server may ask new accounts for: solved in a worker, and sent as a cookie with the next request.
import url from './proof-worker.ts?worker&url'
import { workerAt } from './trusted.ts'

const SECONDS = 600

/** Solves a new challenge; false where it cannot be solved here. Rejects where the server does not answer. */
export async function prove(): Promise<boolean> {
  const response = await fetch('/api/challenge')
  if (!response.ok) return false
  const challenge: unknown = await response.json()
  const worker = workerAt(url)
  const proof = await new Promise<string | undefined>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = () => resolve(undefined)
    worker.postMessage(challenge)
  })
  worker.terminate()
  if (!proof) return false
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `proof-of-work=${proof}; Path=/; Max-Age=${SECONDS}; SameSite=Strict${secure}`
  return true
}
