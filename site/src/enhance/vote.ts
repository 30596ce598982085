// Votes through the API. The new score shows at once; the response corrects it.

import { retry } from './again.ts'
import { complain } from './say.ts'
import { locale, word } from './words.ts'

interface Vote {
  score: number
  myVote: number
}

/** Forms with a pending vote, and the latest value. */
const wanted = new WeakMap<HTMLFormElement, number>()

/** Votes `value` with `form`: its field is the target, its data attributes are the current score. */
export async function vote(form: HTMLFormElement, value: number): Promise<void> {
  const isBusy = wanted.has(form)
  wanted.set(form, value)
  const before: Vote = { score: Number(form.dataset.score), myVote: Number(form.dataset.mine) }
  show(form, { score: before.score - before.myVote + value, myVote: value })
  // One request at a time, so that the last vote counts.
  if (isBusy) return
  let known = before
  for (let sent: number | undefined; sent !== wanted.get(form); ) {
    sent = wanted.get(form)!
    const response = await send(form, sent)
    if (!response?.ok) {
      wanted.delete(form)
      show(form, known)
      return refused(response)
    }
    known = await response.json()
  }
  wanted.delete(form)
  show(form, known)
}

function send(form: HTMLFormElement, value: number): Promise<Response | undefined> {
  return fetch(`/api/community/${new FormData(form).get('target')}/vote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value }),
  }).catch(() => undefined)
}

function refused(response: Response | undefined): void {
  // The session has ended: sign in, then come back.
  if (response?.status === 401) {
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
    return
  }
  complain(word('page.voteFailed', { why: response ? whyOf(response) : word('page.voteOffline') }))
}

function whyOf({ status, headers }: Response): string {
  if (status === 429) return word('page.vote429', { retry: retry(Number(headers.get('retry-after'))) })
  return word(status === 403 || status === 404 ? `page.vote${status}` : 'page.vote500')
}

/** 999, 1.2k, 12k: as pages write it. */
const short = new Intl.NumberFormat(locale, { notation: 'compact', roundingMode: 'trunc' })

function show(form: HTMLFormElement, { score, myVote }: Vote): void {
  form.dataset.score = String(score)
  form.dataset.mine = String(myVote)
  const [up, down] = form.querySelectorAll<HTMLButtonElement>('button')
  for (const [button, direction] of [
    [up!, 1],
    [down!, -1],
  ] as const) {
    button.value = String(myVote === direction ? 0 : direction)
    button.setAttribute('aria-pressed', String(myVote === direction))
  }
  const output = form.querySelector('output')!
  output.title = word('page.netVotes', { count: score })
  output.lastChild!.textContent = short.format(score)
}
