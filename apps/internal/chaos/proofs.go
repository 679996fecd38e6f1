package main

// proofs lists everything there is to prove.
func proofs() []proof {
	return []proof{
		{name: "kill sqlite", run: killing("sqlite"), sabotages: []sabotage{
			mistake(markBeforeSend, lostDeliveries), mistake(ackBeforeCommit, lostWrites), mistake(hoards, repeatedByKill),
		}},
		{name: "kill postgres", run: killing("postgres"), sabotages: []sabotage{
			mistake(markBeforeSend, lostDeliveries), mistake(ackBeforeCommit, lostWrites), mistake(hoards, repeatedByKill),
		}},
		{name: "clock sqlite", run: ticking("sqlite"), sabotages: []sabotage{mistake(tellsFirst, toldTwice)}},
		{name: "clock postgres", run: ticking("postgres"), sabotages: []sabotage{mistake(tellsFirst, toldTwice)}},
		{name: "postgres", run: crashing, sabotages: []sabotage{
			mistake(asyncCommit, lostWrites), mistake(blindRetry, doubledWrites), mistake(bareErrors, otherAnswers),
		}},
		{name: "replicas", run: replicating, sabotages: []sabotage{
			mistake(skipWaiting, inversions), mistake(weakLease, duplicates), mistake(forgetAttempts, notSuspended),
		}},
		{name: "head-of-line", run: stalling, sabotages: []sabotage{mistake(onePlace, stalledRatio)}},
		{name: "requests", run: stallingLog, sabotages: []sabotage{mistake(sharesWriter, waitedForLog)}},
		{name: "egress", run: unplugging, sabotages: []sabotage{mistake(noBreakers, suspendedForNothing)}},
		{name: "rolling restart", run: rolling, sabotages: []sabotage{mistake(unready, failedRequests)}, needs: []string{"haproxy"}},
		{name: "lost end", run: goingBack(losingTheEnd), sabotages: []sabotage{wrongPast()}, needs: []string{"initdb", "pg_basebackup"}},
		{name: "older dump", run: goingBack(restoringADump), sabotages: []sabotage{wrongPast()}, needs: []string{"initdb", "pg_dump", "pg_restore"}},
		{name: "snapshot", run: goingBack(restoringASnapshot), sabotages: []sabotage{wrongPast()}, needs: []string{"initdb", "cp"}},
		{name: "any moment", run: goingBack(goingBackToAMoment), sabotages: []sabotage{wrongPast()}, needs: []string{"pgbackrest", "initdb", "pg_ctl", "pg_controldata"}},
		{name: "partition", run: partitioning, sabotages: []sabotage{mistake(noDeadlines, slowestSilent)}},
		{name: "held", run: holdingOn, sabotages: []sabotage{mistake(noDeadlines, slowestHeld, slowestAll)}},
		{
			name: "standby gone", run: losingTheStandby, needs: []string{"initdb", "pg_basebackup"},
			sabotages: []sabotage{mistake(cancelsCommits, cancelledCommits, shownTooSoon)},
		},
		{name: "pooler", run: pooling, sabotages: []sabotage{mistake(prepares, wrongAnswers)}, needs: []string{"pgbouncer", "haproxy", "initdb"}},
		{name: "disk full", run: fillingTheDisk, needs: []string{"initdb"}, sabotages: []sabotage{mistake(bareErrors, otherAnswers)}},
		{name: "jumping clock", run: jumpingClocks, sabotages: []sabotage{mistake(endlessTokens, misjudgedTokens)}},
		{name: "memory", run: fillingTheMemory, sabotages: []sabotage{mistake(noEviction, residentMemory)}},
		{name: "routing", run: routing, sabotages: []sabotage{mistake(knowsNoSites, shareOfMemory)}, needs: []string{"haproxy"}},
		{name: "upgrade", run: upgrading, sabotages: []sabotage{mistake(dropsColumn, failedRequests)}, needs: []string{"haproxy", "git", "tar"}},
	}
}

// wrongPast breaks everything there is to say about a database that went back.
func wrongPast() sabotage {
	return mistake(constantPlace, lostProducts, notFound, otherContent, lostSettings, revokedTokens, idsTwice, eventsTwice, tagsTwice, untoldEvents, uncountedRows)
}
