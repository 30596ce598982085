// On PostgreSQL, processes learn of commits by notifications: the transaction that changes a table with data of cached answers notifies its
// name, once however often it changes it. SQLite has `PRAGMA data_version` for that.

const wholly = [
  ...['user', 'profile', 'invitationLink', 'invitationUse', 'feedKey'],
  ...[
    'libraryItem',
    'itemTag',
    'itemCount',
    'libraryUpload',
    'dependency',
    'membership',
    'team',
    'teamMember',
    'teamHandover',
    'invitation',
    'itemDownloads',
    'versionDownloads',
    'dayDownloads',
    'orgUpload',
    'orgPage',
    'orgImage',
    'orgRun',
    'orgRunFile',
  ],
  ...[
    'itemVersion',
    'versionDetails',
    'versionScan',
    'versionPermissions',
    'versionStatement',
    'publisherKey',
    'trustedPublisher',
    'publishingGrant',
    'stagedItem',
    'versionOutcomes',
    'logEntry',
    'logHead',
    'logCosignature',
  ],
  ...['workload', 'suggestion'],
  ...['label', 'bug', 'bugLabel', 'feature', 'featureLabel', 'post', 'postLabel', 'release'],
  ...[
    'vote',
    'comment',
    'reaction',
    'revision',
    'statusChange',
    'feedEntry',
    'counter',
    'slug',
    'threadState',
    'assignment',
    'threadChange',
    'mergedThing',
    'mergeUndo',
    'feedback',
    'board',
    'boardMember',
    'boardInvitation',
    'sharedFilter',
  ],
  ...[
    'follow',
    'inbox',
    'notification',
    'takenNotification',
    'toldEvent',
    'moderationAct',
    'evidence',
    'classifierCheck',
    'floodCheck',
  ],
  ...['setting', 'sample', 'machineAnswer', 'machineDay'],
  ...[],
  ...[],
  ...['itemText', 'searchText', 'meaning'],
]
/** Only found rows of these are cached, so that a new row changes nothing. */
const credentials = ['session', 'oauthToken', 'personalToken']

const watch = (table: string, events: string) =>
  `create trigger "changed" after ${events} on "${table}" for each statement execute function "notify_change"()`

/**
 * NOTIFY in a transaction makes commits wait for each other. So a process that announces its changes itself, after the commit, asks for their
 * names instead: it sets `guildhall.own` in the transaction and reads `guildhall.changed` before it commits
 * (src/database/postgres-driver.ts). Changes of everything else, such as psql, are notified.
 */
export const watching: readonly string[] = [
  `create function "notify_change"() returns trigger language plpgsql as $$
    declare changed text;
    begin
      if current_setting('guildhall.own', true) = 'on' then
        changed := coalesce(nullif(current_setting('guildhall.changed', true), ''), ',');
        if position(',' || tg_table_name || ',' in changed) = 0 then
          perform set_config('guildhall.changed', changed || tg_table_name || ',', true);
        end if;
      else
        perform pg_notify('guildhall_changes', tg_table_name);
      end if;
      return null;
    end $$`,
  ...wholly.map((table) => watch(table, 'insert or update or delete or truncate')),
  ...credentials.map((table) => watch(table, 'update or delete or truncate')),
]
