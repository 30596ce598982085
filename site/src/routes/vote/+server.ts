// A vote without script: redirects back to the page of the form. One without an account is kept until its reader has signed in.
import { error, redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, orRefusal } from '#lib/server/answers.ts'
import { isVoteTarget, noteVote, sendVote } from '#lib/server/noted-vote.ts'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = async ({ request, locals, cookies }) => {
  const form = await request.formData()
  const vote = { target: field(form, 'target'), value: Number(field(form, 'value')) }
  const back = ownPath(field(form, 'back'))
  if (!isVoteTarget(vote.target)) error(400, locals.t('community.vote.unknown'))
  const { refusal } = await orRefusal(sendVote(locals, vote))
  if (refusal?.status === 401) {
    if (Math.abs(vote.value) === 1) noteVote({ cookies }, vote)
    redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  }
  if (refusal) error(refusal.status, refusal.message)
  redirect(303, back)
}
