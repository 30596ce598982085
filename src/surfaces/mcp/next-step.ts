// What a model does next after a refusal: said beside the message, which is that of REST and says only what is wrong.
import type { Code, Problem } from '../../contract/problem.ts'

export const CORRECT = 'Correct what the message names, and call again.'
const STOP = 'Do not call it again: tell your user what it says.'
const FIND = 'Look for it first, with search or a list, and use the id or the name that they give.'
const READ = 'Read the thing as it is now, and decide again.'
const WAIT = 'Wait as long as it says, then call once more.'
const AGAIN =
  'Call again after the time that it names, or in a minute. A write keeps its idempotencyKey, so that it is made once.'

const steps: Readonly<Record<Code, string>> = {
  invalid_request: CORRECT,
  invalid_artifact: CORRECT,
  invalid_signature: CORRECT,
  invalid_target: CORRECT,
  invalid_or_expired_code: 'Ask your user for the code of the newest mail.',
  invalid_dpop_proof: 'Make a new proof for this request, and call again.',
  use_dpop_nonce: 'Make a new proof with the nonce of the answer, and call again.',
  unauthorized: 'Your client gets a token: it sends your user to the consent page, or follows /auth.md.',
  insufficient_scope: 'Your client asks your user for a token with the scope that is missing.',
  outside_bounds: 'Your user did not allow this kind of act. Tell them what you wanted to do.',
  blocked: STOP,
  reauthentication_required: 'A person has to do this in the browser. Tell your user.',
  forbidden: STOP,
  not_found: FIND,
  method_not_allowed: CORRECT,
  too_slow: AGAIN,
  conflict: READ,
  version_conflict: 'Take the next free version, and publish again.',
  gallery_org: 'Use the operations of orgs for it.',
  suspicious: 'Show your user what the scan found. Publish only what they want to be public.',
  too_large: 'Send less: the message names the limit.',
  key_reused: 'Use a new idempotencyKey for another input.',
  rate_limited: WAIT,
  internal: AGAIN,
  unavailable: AGAIN,
}

/** What to do after a refusal, in one or two sentences. */
export const nextStepOf = ({ code }: Pick<Problem, 'code'>): string => steps[code]
