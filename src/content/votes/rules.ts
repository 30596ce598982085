// What votes come to, in the order in which they were cast.

/** A person's vote on a target; 0 is none. */
export interface CastVote {
  targetId: string
  userId: string
  value: 1 | -1 | 0
}

/** Scores by target, and values by `pairOf`; a pair without a vote is left out. */
export interface VoteState {
  scores: ReadonlyMap<string, number>
  values: ReadonlyMap<string, CastVote['value']>
}

export const pairOf = ({ targetId, userId }: Pick<CastVote, 'targetId' | 'userId'>): string => `${targetId} ${userId}`

/** Applies votes on targets that have a score: the score after each of them, and what is different in the end. */
export function applyVotes(before: VoteState, casts: readonly CastVote[]) {
  const scores = new Map(before.scores)
  const last = new Map<string, CastVote>()
  const results = casts.map((cast) => {
    const { targetId, value } = cast
    const pair = pairOf(cast)
    const now = last.get(pair)?.value ?? before.values.get(pair) ?? 0
    const score = (scores.get(targetId) ?? 0) + value - now
    scores.set(targetId, score)
    last.set(pair, cast)
    return { score, myVote: value }
  })
  return {
    results,
    changed: [...last].filter(([pair, { value }]) => value !== (before.values.get(pair) ?? 0)).map(([, cast]) => cast),
    scores: [...scores]
      .map(([id, score]) => ({ id, score: score - (before.scores.get(id) ?? 0) }))
      .filter(({ score }) => score !== 0),
  }
}
