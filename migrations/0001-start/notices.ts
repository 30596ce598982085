// Events and who learns of them, by an inbox, mail, push or webhook; and moderation.
import type { Room } from './room.ts'

export const notices: Room = {
  tables: {
    event: `
      "id" text not null primary key, "kind" text not null, "targetType" text not null, "targetId" text not null, "number" integer,
      "title" text not null, "url" text not null, "actorId" text, "commentId" text, "excerpt" text not null, "detail" text,
      "mentioned" text not null, "repliedTo" text, "createdAt" text not null, "place" text not null, "recipients" integer not null,
      "doneAt" text, "hidden" integer not null default 0
    `,
    follow: `
      "targetId" text not null, "userId" text not null, "state" text not null, "createdAt" text not null, "since" long,
      primary key ("targetId", "userId")
    `,
    inbox: `
      "userId" text not null primary key, "last" integer not null default 0, "unread" integer not null default 0,
      "followWritten" integer, "followAnswered" integer, "followVoted" integer, "mention" text, "reply" text, "comment" text,
      "status" text, "version" text, "mailAfter" text not null default '', "dailyUntil" text not null default '',
      "weeklyUntil" text not null default '', "release" text, "posted" text, "invitation" text, "approval" text,
      "ofClosed" integer not null default 0, "pushMentions" integer, "pushApprovals" integer, "report" text
    `,
    notification: `
      "userId" text not null, "position" integer not null, "eventId" text not null references "event" ("id"), "kind" text not null,
      "read" integer not null, "createdAt" text not null, "mail" text, "mailAt" text, primary key ("userId", "position")
    `,
    takenNotification: `
      "userId" text not null, "position" integer not null, "eventId" text not null references "event" ("id") on delete cascade,
      "kind" text not null, "read" integer not null, "createdAt" text not null, "mail" text, "mailAt" text,
      primary key ("eventId", "userId")
    `,
    savedFilter: `
      "id" text primary key, "userId" text not null references "user" ("id") on delete cascade, "name" text not null,
      "path" text not null, "createdAt" text not null, unique ("userId", "path")
    `,
    guestDigest: `
      "id" text not null primary key, "email" text not null, "topic" text not null, "language" text, "createdAt" text not null,
      "confirmedAt" text, "toldUntil" text, "dueAt" text, unique ("email", "topic")
    `,
    pushMessage: `
      "subscriptionId" text not null references "pushSubscription" ("id") on delete cascade, "eventId" text not null,
      "createdAt" text not null, primary key ("subscriptionId", "eventId")
    `,
    pushKey: `"sealedBy" text not null primary key, "publicKey" text not null, "sealed" text not null, "createdAt" text not null`,
    webhook: `
      "id" text not null primary key, "ownerId" text not null references "user" ("id") on delete cascade,
      "itemId" text references "libraryItem" ("id") on delete cascade, "url" text not null, "description" text not null,
      "events" text not null, "secret" text not null, "previousSecret" text, "previousSecretUntil" text, "createdAt" text not null,
      "updatedAt" text not null, "disabledAt" text, "disabledReason" text, "failingSince" text, "failures" integer not null default 0,
      "dueAt" text, "pausedUntil" text not null default '', "leaseEndsAt" text not null default '', "boardId" text,
      "subscriptionId" text, "clientId" text, "grantId" text, "expiresAt" text, "format" text not null default 'guildhall',
      "template" text
    `,
    webhookDelivery: `
      "id" text not null primary key, "webhookId" text not null references "webhook" ("id") on delete cascade, "event" text not null,
      "targetType" text, "targetId" text, "commentId" text, "actorId" text, "hidden" integer not null, "payload" text not null,
      "state" text not null, "createdAt" text not null, "firstAttemptAt" text, "attempts" integer not null default 0,
      "nextAttemptAt" text, "attemptedAt" text, "status" integer, "durationMilliseconds" integer, "response" text, "error" text,
      "position" bigint
    `,
    toldEvent: `
      "position" bigint primary key, "id" text not null unique, "event" text not null, "targetType" text not null,
      "targetId" text not null, "boardId" text, "commentId" text, "actorId" text, "hidden" integer not null, "payload" text not null,
      "createdAt" text not null
    `,
    moderationCase: `
      "id" text not null primary key, "targetType" text not null, "targetId" text not null, "authorId" text not null,
      "state" text not null, "reportCount" integer not null, "held" integer not null, "appealCount" integer not null,
      "createdAt" text not null, "closedAt" text, "machineVerdict" text, "machineReason" text, "machinePercent" integer,
      "viaClientId" text
    `,
    report: `
      "id" text not null primary key, "caseId" text not null references "moderationCase" ("id"), "targetId" text not null,
      "reporterId" text not null, "reason" text not null, "text" text, "createdAt" text not null, "closed" integer not null
    `,
    moderationAct: `
      "id" text not null primary key, "caseId" text, "targetType" text not null, "targetId" text not null, "title" text not null,
      "url" text not null, "accountId" text not null, "actorId" text, "action" text not null, "rule" text not null,
      "reason" text not null, "createdAt" text not null, "undoneAt" text, "purgedAt" text, "appeal" text, "appealedAt" text,
      "appealGranted" integer, "appealReason" text, "appealDecidedAt" text
    `,
    evidence: `
      "id" text not null primary key, "targetType" text not null, "targetId" text not null, "authorId" text not null,
      "title" text not null, "text" text not null, "createdAt" text not null, "waiting" integer not null, "deleteAt" text
    `,
    classifierCheck: `
      "id" text not null primary key, "type" text not null, "viaClientId" text, "createdAt" text not null, "givenUpAt" text,
      "changes" integer not null default 0
    `,
    floodCheck: `"id" text not null primary key, "type" text not null, "createdAt" text not null`,
  },
  byKey: ['classifierCheck', 'floodCheck'],
  indexes: {
    event: {
      event_pending: '("id") where "doneAt" is null',
      event_target: '("targetId")',
      event_actor: '("actorId")',
      event_comment: '("commentId") where "commentId" is not null',
      event_done: '("doneAt") where "recipients" = 0 and "doneAt" is not null',
      event_repliedTo: '("repliedTo") where "repliedTo" is not null',
    },
    follow: {
      follow_userId_targetId: '("userId", "targetId")',
    },
    notification: {
      notification_event: 'unique ("eventId", "userId")',
      notification_unread: '("userId", "position") where "read" = 0',
      notification_read: '("createdAt") where "read" = 1',
      notification_mail: '("mailAt", "userId") where "mailAt" is not null',
      notification_age: '("createdAt") where "read" = 0',
    },
    takenNotification: {
      takenNotification_user: '("userId")',
      takenNotification_age: '("createdAt")',
    },
    guestDigest: {
      guestDigest_dueAt: '("dueAt", "id") where "dueAt" is not null',
      guestDigest_createdAt: '("createdAt", "id") where "confirmedAt" is null',
    },
    pushMessage: {
      pushMessage_createdAt: '("createdAt")',
    },
    webhook: {
      webhook_owner: '("ownerId")',
      webhook_item: '("itemId")',
      webhook_due: '("dueAt") where "dueAt" is not null',
      webhook_subscription: 'unique ("subscriptionId") where "subscriptionId" is not null',
      webhook_expires: '("expiresAt") where "expiresAt" is not null',
    },
    webhookDelivery: {
      webhookDelivery_webhook: '("webhookId", "id")',
      webhookDelivery_pending: `("webhookId", "nextAttemptAt") where "state" = 'pending'`,
      webhookDelivery_target: '("targetId") where "targetId" is not null',
      webhookDelivery_actor: '("actorId") where "actorId" is not null',
      webhookDelivery_settled: `("createdAt") where "state" <> 'pending'`,
    },
    toldEvent: {
      toldEvent_event: '("event", "position")',
      toldEvent_target: '("targetId")',
      toldEvent_actor: '("actorId") where "actorId" is not null',
      toldEvent_created: '("createdAt")',
    },
    moderationCase: {
      moderationCase_open: `unique ("targetId") where "state" = 'open'`,
      moderationCase_state: '("state", "createdAt", "id")',
      moderationCase_author: '("authorId")',
      moderationCase_target: '("targetId", "id")',
      moderationCase_agents: '("state", "createdAt", "id") where "viaClientId" is not null',
    },
    report: {
      report_open: 'unique ("targetId", "reporterId") where "closed" = 0',
      report_case: '("caseId", "id")',
      report_reporter: '("reporterId")',
    },
    moderationAct: {
      moderationAct_latest: '("createdAt", "id")',
      moderationAct_account: '("accountId", "id")',
      moderationAct_target: '("targetId", "id")',
      moderationAct_actor: '("actorId")',
      moderationAct_purge: `("createdAt") where "action" = 'delete' and "undoneAt" is null and "purgedAt" is null`,
      moderationAct_case: '("caseId", "id") where "caseId" is not null',
    },
    evidence: {
      evidence_target: '("targetId", "id")',
      evidence_author: '("authorId")',
      evidence_end: '("deleteAt") where "deleteAt" is not null',
    },
    classifierCheck: {
      classifierCheck_waiting: '("createdAt", "id") where "givenUpAt" is null',
      classifierCheck_givenUp: '("givenUpAt") where "givenUpAt" is not null',
    },
    floodCheck: {
      floodCheck_waiting: '("createdAt", "id")',
    },
  },
  // Events have numbers in the order in which they came: no question for the clocks of two machines.
  sqlite: [
    'create table "eventNumber" ("last" integer not null)',
    'insert into "eventNumber" ("last") values (0)',
    'alter table "event" add column "sequence" integer',
    `create trigger "event_number" after insert on event when new."sequence" is null begin
      update "eventNumber" set last = last + 1;
      update event set "sequence" = (select last from "eventNumber") where id = new.id;
    end`,
  ],
  postgres: [
    'create sequence "eventNumber"',
    `alter table "event" add column "sequence" bigint default nextval('"eventNumber"')`,
  ],
}
