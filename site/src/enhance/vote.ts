// A vote asks the API itself: the new score shows at once, and is put right by the answer.
import { short } from '../lib/ui/numbers.ts'
import { visit } from './visit.ts'

interface Vote {
  score: number
  myVote: number
}

/** Votes `value` on what `form` stands beside: its fields are the target, its data the score so far. */
export async function vote(form: HTMLFormElement, value: number): Promise<void> {
  const before: Vote = { score: Number(form.dataset.score), myVote: Number(form.dataset.mine) }
  show(form, { score: before.score - before.myVote + value, myVote: value })
  const target = new FormData(form).get('target')
  const response = await fetch(`/api/community/${target}/vote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value }),
  }).catch(() => undefined)
  if (response?.ok) return show(form, await response.json())
  show(form, before)
  // Signed out meanwhile: the form itself leads to signing in, and back.
  if (response?.status === 401) visit(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
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
