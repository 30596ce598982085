// What an export says of what its account was told of: `t` is a notification, and `e` its event.
import { sql } from 'kysely'
import { boarded } from '../content/board-access/contract.ts'
import { hiddenBy } from '../content/hiding/rules.ts'

const boardedTypes = sql.join(boarded.map((type) => sql.lit(type)))

/** An event of a private item goes to webhooks alone. */
export const isTold = sql`(e.hidden = 0 or e."targetType" in (${boardedTypes}))`

/** The closed board that the thing of an event is in now; a notice is of what its account made itself. */
export const closedBoard = sql`case when t.kind <> 'notice' then coalesce(${sql.join(
  boarded.map(
    (table) => sql`(select x."boardId" from ${sql.table(table)} x
      where x.id = e."targetId" and (x.hidden & ${sql.lit(hiddenBy.board)}) <> 0)`,
  ),
)}) end`

/** The version of an item that it is about. */
export const about = sql`(select f."itemId" from "feedback" f where f."thingId" = t.id) as "aboutItem",
  (select v.version from "feedback" f join "itemVersion" v on v."itemId" = f."itemId" and v."number" = f."number"
    where f."thingId" = t.id) as "aboutVersion"`

/** The whole of a text that its field has the beginning of. */
export const whole = sql`(select w."text" from "fullText" w where w."thingId" = t.id) as "fullText"`
