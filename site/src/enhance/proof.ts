// The proof of work that a server may ask new accounts for: solved in a worker, and sent as a cookie with the next request.
import url from './proof-worker.ts?worker&url'
import { workerAt } from './trusted.ts'

const SECONDS = 600

/** The solution of a new challenge; undefined where there is none, or it cannot be solved here. Rejects where the server does not answer. */
export async function solution(): Promise<string | undefined> {
  const response = await fetch('/api/challenge')
  if (!response.ok) return undefined
  const challenge: unknown = await response.json()
  const worker = workerAt(url)
  const proof = await new Promise<string | undefined>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = () => resolve(undefined)
    worker.postMessage(challenge)
  })
  worker.terminate()
  return proof
}

/** Keeps the solution of a new challenge for the next request; false where there is none. */
export async function prove(): Promise<boolean> {
  const proof = await solution()
  if (!proof) return false
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `proof-of-work=${proof}; Path=/; Max-Age=${SECONDS}; SameSite=Strict${secure}`
  return true
}
