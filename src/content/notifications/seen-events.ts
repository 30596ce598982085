// A thing that is held: whether others saw it before, and which event says that it shows.
import type { Db, Transaction } from '../../database/schema.ts'
import { isHeldBack } from '../hiding/rules.ts'
import { type Act, recordCreated, recordShown } from './events.ts'
import { wasToldOf } from './told-queries.ts'

/** A thing that everybody can see from now on: a new one, or one that was told of before and shows again. */
export async function recordSeen(db: Transaction, act: Act, text: string): Promise<void> {
  if (await wasToldOf(db, { targetId: act.on.id })) await recordShown(db, act, { text })
  else await recordCreated(db, act, text)
}

/** Whether others saw a thing until it was hidden: what was held at once has been seen by no one. */
export const wasSeen = async (db: Db, targetId: string, concealed: { hidden: number }): Promise<boolean> =>
  !isHeldBack(concealed) || (await wasToldOf(db, { targetId }))

/** Whether members have heard of a comment. */
export const wasCommentSeen = (db: Db, commentId: string): Promise<boolean> => wasToldOf(db, { commentId })
