// Votes through the API. The new score shows at once; the response corrects it.

import { short } from '../lib/ui/numbers.ts'
import { retry } from './again.ts'
import { complain } from './say.ts'

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

const WHY: Record<number, string> = {
  403: "You don't have permission to vote.",
  404: 'It no longer exists.',
}

function refused(response: Response | undefined): void {
  // The session has ended: sign in, then come back.
  if (response?.status === 401) {
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
    return
  }
  complain(`Your vote did not count. ${response ? whyOf(response) : 'The network did not respond.'}`)
}

function whyOf({ status, headers }: Response): string {
  if (status === 429) return `Too many votes at once. ${retry(Number(headers.get('retry-after')))}`
  return WHY[status] ?? 'Something went wrong on our side.'
}

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
  output.title = `${score} net votes`
  output.lastChild!.textContent = short(score)
}
