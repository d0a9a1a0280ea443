# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_boardbus_global_optspecs
    string join \n q/quiet h/help V/version
end

function __fish_boardbus_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_boardbus_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_boardbus_using_subcommand
    set -l cmd (__fish_boardbus_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c boardbus -n "__fish_boardbus_needs_command" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_needs_command" -s h -l help -d 'Print help'
complete -c boardbus -n "__fish_boardbus_needs_command" -s V -l version -d 'Print version'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "discover" -d 'Find the boards on a line'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "dump" -d 'The position and the clock of boards now'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "start" -d 'Write the start mark into boards, and read the clocks\' full times'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "reset" -d 'Restart boards'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "watch" -d 'Poll boards and report every change'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "from-start" -d 'A board\'s own log since its start mark'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "reconstruct" -d 'Work out what was played: board records to game records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "evaluate" -d 'An engine\'s evaluation beside each position of chess'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "show" -d 'A hall on a screen: boards, moves, clocks, and what is wrong'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "check" -d 'What is wrong with which board, since when, and what to do'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "serve" -d 'LiveChess\'s interface for other programs, and a feed of records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "from-pgn" -d 'PGN files to game records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "from-bars" -d 'BARS files to game records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "from-pdn" -d 'PDN files to game records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "to-pgn" -d 'Game records to PGN'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "to-bars" -d 'Game records to BARS'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "to-pdn" -d 'Game records to PDN'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "to-html" -d 'Game records to pages for spectators'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "to-results" -d 'Game records to the results of a round, for the arbiter'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "publish" -d 'Publish the records of a hall on a server'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "subscribe" -d 'Write the records that halls publish on a server'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "simulate" -d 'A virtual line of boards on which games are played'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "decode" -d 'Turns the bytes of boards into board records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "schema" -d 'Print the JSON Schema of the records'
complete -c boardbus -n "__fish_boardbus_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -s p -l port -d 'Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if there is only one]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -l expect -d 'Boards that must be there, asked first: 1025-1060,2054, or serial numbers above 16383; those missing are named, exit code 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand discover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -s p -l port -d 'Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if there is only one]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -s b -l board -l boards -d 'Only these boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -s f -l follow -d 'Ask again and again, and show every change at once (a lifted piece disappears from its square); Ctrl-C or q ends it'
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand dump" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -s p -l port -d 'Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if there is only one]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -s b -l board -l boards -d 'Only these boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand start" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -s p -l port -d 'Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if there is only one]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -s b -l board -l boards -d 'These boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l all -d 'All boards of the line, also those that do not answer'
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l yes -d 'With --all: do not ask first'
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -l end-bus-mode -d 'Instead of a restart, end the bus mode of the only board on its line: it then answers as a board alone does, until it restarts'
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand reset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -s p -l port -d 'Serial port of a line, a pseudo-terminal, or a serial server, tcp://host:port; once for each line [default: all USB adapters and boards]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l line -d 'The name of the line, which every record gets; once for each port, or once for all [default with several ports: a bus has the name of its port, boards alone have none]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l name -d 'The number of the board alone on this port, or with this serial number: /dev/ttyACM0=5, 3000147740=6; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -s b -l board -l boards -d 'Only these boards, and no search: 1025-1060,2054; a number above 16383 is the serial number of a board alone; once for each port, in their order' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l expect -d 'Boards that must be there, asked first; those missing are named and waited for; once for each port, in their order, or once for boards that may be on any of them' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l rediscover -d 'How often to look for boards that were switched on since: 90s, 1.5m, 1h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l give-up -d 'How long to wait for a port that went away [default: for ever]: 90s, 1.5m, 1h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -s n -l count -d 'End after this many records of boards' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l seconds -d 'End after this time: 500ms, 90s, 1.5m, 1h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l journal -d 'Append every record to this file before it is printed, and print first what is in it' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture; with several ports the number of the port is added to its name' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l no-start-marks -d 'Write no start marks; `boardbus start` writes them by hand'
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -l configure -d 'Set a Millennium board to report only changes, which it keeps in its EEPROM; without this option nothing is written into one'
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -s p -l port -d 'Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if there is only one]' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l capture -d 'Append every byte, in both directions, to this file: a new one or an existing capture' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -s b -l board -l boards -d 'Only these boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-start" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l settle -d 'Without a clock, publish a move when its board has rested this long by the times of the records: 500ms, 2s; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l show -d 'How soon to publish a move on a board with a clock' -r -f -a "early\t'At its press: the move that is likeliest then'
usual\t'At its press, unless its piece may still have been on its way or another move is likely too'
sure\t'When a poll after its press has found it on the board'"
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l line -d 'Read this journal too, and give its line this name; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l continue -d 'A game of the first board continues on the second, once its position stands there; it keeps the address of the first' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l rules -d 'Look for games of these rules only [default: what the start position shows]' -r -f -a "chess\t'Chess and Chess960'
russian\t'Russian draughts'"
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l set -d 'What the men and kings of draughts are [default: what the start position shows]' -r -f -a "disks\t'Draughts disks: codes 01 and 04 are White\'s and Black\'s men, 07 and 0a their kings'
disks-old\t'Draughts disks by the older table, which has 04 and 07 exchanged'
pawns\t'Chess pawns for men, any other figure for a king'
colour\t'Any figures of a chess set, distinguished by colour alone'"
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l rulings -d 'Read an arbiter\'s rulings from this file too, also those that are appended to it later' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l fen -d 'Games start from this position, and from no other: of chess, or of draughts as in PDN (W:Wa1,Kc3:Bb8)' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l final -d 'Publish each game once, when the next one has begun or the input ends: without takebacks, each ply once'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l new -d 'Write only what follows from records that are appended to the files from now on. The records before are read for the games in play, and nothing is written for them'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l explain -d 'Add to each move why it was chosen: its charges, the second best explanation, and the lead over that'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l midgame -d 'Where a board is found in the middle of a game, begin a game from its position: the side that moves first has the move. Without this option that needs a running clock'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -l summary -d 'Print one line at the end with the result, as on a terminal'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand reconstruct" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l engine -d 'The engine: a program from the PATH or /usr/games, or its file, with its arguments after blanks' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l engines -d 'How many engines run at once, each with one thread [default: the cores but one]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l hash -d 'The size of each engine\'s hash table in megabytes' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l nodes -d 'Have the engine search this number of positions (Stockfish, Fairy-Stockfish, Glaurung; others ignore it)' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l depth -d 'Have the engine search to this depth in plies' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l movetime -d 'Have the engine search for this many milliseconds, as UCI counts; 2s is accepted too' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l option -d 'Set an option of the engine' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand evaluate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l line -d 'Read this journal too, and give its line this name; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l speed -d 'Play the recording at this many times its speed: 1, 20, 0.5' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -s p -l port -d 'Watch the boards on this serial port instead of reading records: for a board on the desk. It writes no start marks and keeps no records; with --once each board is asked once' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -s b -l board -d 'With --port only these boards, and no search: 1025-1060,2054' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l patience -d 'How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers specify; longer if answers are measured to take longer]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l mode -l make -d 'A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l dtr -d 'Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes, and low while a port is listened to' -r -f -a "high\t''
low\t''
auto\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l timezone -d 'Show times in this time zone: Europe/Berlin [default: that of this machine]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l midgame -d 'Where a board is found in the middle of a game, begin a game from its position: the side that moves first has the move. Without this option that needs a running clock'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l once -d 'Print one picture and end'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -l ascii -d 'Letters instead of figures'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l line -d 'Read this journal too, and give its line this name; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l no-games -d 'Do not reconstruct the games: faster, but checks neither moves nor where pieces should stand'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -l midgame -d 'Where a board is found in the middle of a game, begin a game from its position: the side that moves first has the move. Without this option that needs a running clock'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l line -d 'Read this journal too, and give its line this name; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l timezone -d 'The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l port -d 'The TCP port for all boards [default: 1982, unless --ports has it]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l ports -d 'TCP ports for one board each, the first board on the first port: 1982-1990' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l listen -d 'The address to listen on, 0.0.0.0 for all; may be given again [default: 127.0.0.1 and ::1]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l host -d 'A name by which programs may address this server, besides its addresses and localhost; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l origin -d 'A site whose pages may use everything: https://club.example; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l token -d 'The token that programs on other machines have to send, as ?token= after the address or as Authorization: Bearer' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l clients -d 'Up to this number of connections at once' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l certain-after -d 'Publish a move in `san` only when its squares have been unchanged for this long, where players take moves back: 4.5s, 1m; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l delay -d 'Publish each record only when it is this old by its `time`: 90s, 15m, 1.5h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -l midgame -d 'Where a board is found in the middle of a game, begin a game from its position: the side that moves first has the move. Without this option that needs a running clock'
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -s j -l jobs -d 'Read on this number of cores; the order of the records stays [default: all, up to eight]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -l encoding -d 'The encoding: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pgn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -l lenient -d 'Take the piece from the board where a number has its colour or rank wrong, and report it'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-bars" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -l numbering -d 'Where square 1 is when squares are numbers [default: as GameType has it, else b8]' -r -f -a "b8\t'1 = b8, 32 = g1: what nearly all programs write'
a1\t'1 = a1, 32 = h8'
g1\t'1 = g1, 32 = b8'
h8\t'1 = h8, 32 = a1'"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -l encoding -d 'The encoding: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand from-pdn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -s o -l output -d 'Keep this file up to date instead of writing to standard output' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l delay -d 'Publish each record only when it is this old by its `time`: 500ms, 90s, 15m, 1.5h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l results -d 'When to write the result of a board\'s game: an end may be withdrawn, but a broadcast keeps a result that it received' -r -f -a "at-once\t'With its end'
settled\t'A minute after its end, or as soon as that is final: pieces or clock were put away, a flag fell, it was ruled, the next game began'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l split -d 'Keep DIR/round-R/game-N.pgn and DIR/round-R/games.pgn up to date, as LiveChess does' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l livechess -d 'Keep DIR/tournament.json, DIR/round-R/index.json and DIR/round-R/game-N.json up to date' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l timezone -d 'The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l finished -d 'Write only games that are over'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l no-empty -d 'Leave out the tables of --roster or --pairings at which nobody has moved yet'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l summary -d 'Print one line at the end with the result, as on a terminal'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l emt -d 'Write the time used for each move of a board, where it is known, as [%emt h:mm:ss]'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l no-anomalies -d 'Leave out the comments on illegal moves, gaps and guesses'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l judge -d 'Mark moves that lost winning chances, by their evaluations, with ?!, ? or ??, and write the better move'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l doubts -d 'Write a comment after each doubtful move of a board: its certainty, and which other moves fit'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -l openings -d 'Write the opening as the tags ECO, Opening and Variation, if the game does not have them'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pgn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -s o -l output -d 'Keep this file up to date instead of writing to standard output' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -l delay -d 'Publish each record only when it is this old by its `time`: 500ms, 90s, 15m, 1.5h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -l moves -d 'A line for each move as it is played, with the position before it; a move is written when the next one comes or the game ends'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-bars" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -s o -l output -d 'Keep this file up to date instead of writing to standard output' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l delay -d 'Publish each record only when it is this old by its `time`: 500ms, 90s, 15m, 1.5h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l results -d 'When to write the result of a board\'s game: an end may be withdrawn, but a broadcast keeps a result that it received' -r -f -a "at-once\t'With its end'
settled\t'A minute after its end, or as soon as that is final: pieces or clock were put away, a flag fell, it was ruled, the next game began'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l split -d 'Keep DIR/round-R/game-N.pdn and DIR/round-R/games.pdn up to date' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l timezone -d 'The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l finished -d 'Write only games that are over'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l no-empty -d 'Leave out the tables of --roster or --pairings at which nobody has moved yet'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l summary -d 'Print one line at the end with the result, as on a terminal'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l numeric -d 'Squares by number, 1 = b8 (GameType 25,W,8,8,N2,0)'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l x -d 'x for captures instead of the colon'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l points -d 'Results as 2-0, 1-1 and 0-2'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l emt -d 'Write the time used for each move, where it is known, as [%emt h:mm:ss]'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -l no-anomalies -d 'Leave out the comments on illegal moves, gaps and guesses'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-pdn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -s o -l output -d 'Keep a folder of pages up to date instead of writing one page to standard output' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l refresh -d 'How soon open pages show news: 500ms, 2s; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l timezone -d 'The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l words -d 'The words of the pages: en, de, or a file with a line `English = other word` for each' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l logo -d 'A picture above every page: PNG, JPEG, GIF, WebP or SVG, up to 512 kB' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l link -d 'A link at the head of every page, to an http, https or mailto address or a page beside these; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l delay -d 'Publish each record only when it is this old by its `time`: 90s, 15m, 1.5h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l results -d 'When to write the result of a board\'s game: an end may be withdrawn, but a broadcast keeps a result that it received' -r -f -a "at-once\t'With its end'
settled\t'A minute after its end, or as soon as that is final: pieces or clock were put away, a flag fell, it was ruled, the next game began'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l event-page -d 'Keep a front page of the event in DIR too: its rounds, which are folders of pages in DIR, and the standings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l hide-results -d 'Leave results out of every file'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -l no-empty -d 'Leave out the tables of --roster or --pairings at which nobody has moved yet'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-html" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -s o -l output -d 'Keep this file up to date instead of writing to standard output' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l format -d 'The format [default: that of the pairings; text on a terminal; csv]' -r -f -a "swiss-manager\t'Swiss-Manager\'s Spielerauslosung with the results in it'
trf\t'The tournament report with the results in it; for Vega, made from its engine26.trf'
csv\t'A row for each table'
text\t'The tables that are finished, that have to be checked, and that are in play'
html\t'The same as text, as a page that renews itself'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l roster -d 'Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is read again when it changes. It overrides --pairings; a line without names gives only the board of a table of --pairings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l pairings -d 'The pairings of a round as the pairing program writes them; needs --round' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l trf -d 'Another name of --pairings, for one file' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l boards -d 'Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l order -d 'The order of the pairings of a tournament report at the tables [default: what the report shows]' -r -f -a "ranking\t'FIDE\'s for single events, by points and starting ranks'
file\t'That of the file'
match\t'Match by match, of a team event'"
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l event -d 'The name of the event, for the Event tag' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l round -d 'The number of the round: for the Round tag, and to select the round of --roster and --pairings' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l encoding -d 'The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l timezone -d 'The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l tag -d 'A tag for every game, in place of that of any other source; may be given again' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l rulings -d 'The arbiter\'s rulings on boards without a game, such as a forfeit; the same file as for reconstruct --rulings' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l since -d 'Use only games that began at this time or later: 2026-11-21T15:00:00+01:00' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l until -d 'Use only games that began before this time' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -l include-doubtful -d 'Also write results that have to be checked, as the boards showed them'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand to-results" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l server -d 'The server, nats://host:4222 or tls://host:4222; several of a cluster with commas' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l event -d 'The event: letters, digits, - and _' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l user -d 'The user\'s name; the password comes from --password-file or from the variable BOARDBUS_PASSWORD' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l password-file -d 'A file whose first line is the password' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l token-file -d 'A file whose first line is a token, instead of user and password; or the variable BOARDBUS_TOKEN' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l ca -d 'Trust this authority\'s certificates too (PEM)' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l cert -d 'Our own certificate (PEM), for a server that asks for one' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l key -d 'The key of that certificate (PEM)' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l replicas -d 'How many servers of a cluster keep each record; set when the event is created on the server' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l limit -d 'How much the event may hold before the server refuses more; set when the event is created: 500M, 20G [default: as much as the server allows]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l give-up -d 'How long to wait for a server that does not answer [default: for ever]: 90s, 1.5m, 1h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l line -d 'The line of records without a line name' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l follow -d 'Wait for more at the end of the journal, until a signal comes'
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l games -d 'Publish game records, as reconstruct writes them, instead of board records'
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -l take-over -d 'Continue a line that moved to this machine: publish from the beginning, although the server has records of it that are not here'
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand publish" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l server -d 'The server, nats://host:4222 or tls://host:4222; several of a cluster with commas' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l event -d 'The event: letters, digits, - and _' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l user -d 'The user\'s name; the password comes from --password-file or from the variable BOARDBUS_PASSWORD' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l password-file -d 'A file whose first line is the password' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l token-file -d 'A file whose first line is a token, instead of user and password; or the variable BOARDBUS_TOKEN' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l ca -d 'Trust this authority\'s certificates too (PEM)' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l cert -d 'Our own certificate (PEM), for a server that asks for one' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l key -d 'The key of that certificate (PEM)' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l replicas -d 'How many servers of a cluster keep each record; set when the event is created on the server' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l limit -d 'How much the event may hold before the server refuses more; set when the event is created: 500M, 20G [default: as much as the server allows]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l give-up -d 'How long to wait for a server that does not answer [default: for ever]: 90s, 1.5m, 1h; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l line -d 'Only these lines: hall-2,hall-3 [default: all of the event]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l journal -d 'Append every record to this file before it is printed, and print first what is in it' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -l games -d 'Game records, as publish --games carries them, instead of board records'
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand subscribe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l pgn -d 'The games of chess to play, in file order; - is standard input' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l pdn -d 'The games of Russian draughts to play, after those of chess; - is standard input' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l set -d 'What draughts are played with' -r -f -a "disks\t'Draughts disks: codes 01 and 04 are White\'s and Black\'s men, 07 and 0a their kings'
disks-old\t'Draughts disks of older boards, whose codes 04 and 07 are exchanged'
pawns\t'Chess pawns; a queen is a king'
colour\t'Eight pawns, two bishops and two knights a side; a king stays the figure it was'"
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l hands -d 'How the players handle the pieces' -r -f -a "clean\t'Unhurried and tidy: nothing slides, nothing is adjusted, the king castles first'
classic\t'A game of hours'
rapid\t'A game of half an hour'
blitz\t'A game of minutes: one reply in seven begins before the other hand has left'
real\t'A game of minutes as recordings of real boards have it: no reply begins before the other hand has left, and pieces are set down beside their way'"
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l seed -d 'The seed of all random numbers' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l boards -d 'How many boards, with addresses from 1025 on [default: one a game, up to 64]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l address -d 'The boards\' addresses: 1025-1032,2054' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l ending -d 'How the result is shown on the board after the last move' -r -f -a "none\t'The pieces stay as they are'
kings\t'The kings are put in the centre'
piece\t'A result piece is put on the board'"
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l rotated -d 'The probability that a board is turned round for a game: 0 to 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l analysis -d 'The probability that the players analyse their game on the board after it: 0 to 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l power-cuts -d 'How often a board loses its power for some seconds in the middle of a game; on a line, of its first game' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l fault -d 'A fault of a board: dead-square, dying-square (dead after its first game), flicker or weak-piece with the square (weak-piece: where the piece begins its games), slow, reset, twin (another board has its address) or cut-entries (of its log, across two answers); of a board alone no-address or short-address (ten digits of a serial number instead of a bus address), stale-frames (from before, at its first answer), any-order (of late answers) or empty-log; may be repeated' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l opening -d 'Time of the opening of the hall, in --records and --truth' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l poll -d 'With --records: the time between two polls of a board: 500ms, 2s; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l clock-every -d 'With --records: the time between two readings of a clock: 20s, 1.5m; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l link -d 'Make a symbolic link to the pseudo-terminal; it is removed when the command ends' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l speed -d 'How many times faster than in life the players and the clocks are; the wire keeps its speed' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l mode -l make -d 'The make of the boards, or for DGT boards the mode in which they are polled' -r -f -a "bus\t'Many on a bus; one of them alone knows single-board mode as well'
single\t'One board with a cable of its own, USB or Bluetooth, that knows no bus'
millennium\t'A board of Millennium\'s with ChessLink'
chessnut\t'A board of Chessnut\'s; the link is a socket that stands for its hidraw device'
certabo\t'A board of Certabo\'s, which sends the chips of its pieces'"
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l wire-speed -d 'Bits a second on the wire, ten a byte [default: those of the make]; 0: bytes take no time and boards answer at once' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l ghosts -d 'For boards of makes other than DGT: the probability that a square is misread in a report: 0 to 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l start -d 'When play begins on a board' -r -f -a "mark\t'When a start mark has been written into it, or a board with a cable of its own was asked for its changes'
now\t'Immediately'"
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l start-delay -d 'The time from the start mark to the beginning of play: 3s, 1.5m; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l start-timeout -d 'When play begins on a board that got no start mark: 90s, 1.5m; a bare number is seconds [default: it waits]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l noise -d 'The probability that a byte is damaged, in either direction: 0 to 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l drop -d 'The probability that a board\'s reply is lost although it obeyed the command: 0 to 1' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l watchdogs -d 'How often a board\'s watchdog resets it while nothing moves on it' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l unplug -d 'Pull the adapter out at this time, for this long: 60:20, 1.5m:500ms; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l firmware -d 'The boards\' firmware [default: 1.6; 1.4 for makes other than DGT]' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l truth -d 'Write everything the boards log as board records, to compare a host\'s records with, into a new file or that of an earlier run; a `fault` without a board is a time at which this machine was too busy to keep the line\'s time' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l exit-after -d 'How long to stay when everything has been played and read: 5s, 1.5m; a bare number is seconds' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l no-clock -d 'No clock beside the boards'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l strict -d 'Stop at the first game that cannot be played'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l records -d 'Print board records as if the boards were polled, and open no port'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -l forever -d 'Stay until a signal comes'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand simulate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l mode -l make -d 'The make of the boards, or for DGT boards the mode in which they were asked; `auto` finds that out from the bytes, and takes `bus` if they do not show it' -r -f -a "auto\t''
bus\t''
single\t''
millennium\t''
chessnut\t''
certabo\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l pieces -d 'For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each set of pieces; may be given again. `watch` makes the first file from a start position' -r -F
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l line -d 'The name of the line, which every record gets' -r
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l format -d 'json: records; text: text for people; auto: text on a terminal, records elsewhere' -r -f -a "auto\t''
json\t''
text\t''"
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l follow -d 'At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a file that was begun again at its path, or shortened, is read from its beginning'
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -l strict -d 'Stop at the first bad input instead of skipping it'
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand decode" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand schema" -s q -l quiet -d 'No progress on standard error'
complete -c boardbus -n "__fish_boardbus_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "discover" -d 'Find the boards on a line'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "dump" -d 'The position and the clock of boards now'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "start" -d 'Write the start mark into boards, and read the clocks\' full times'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "reset" -d 'Restart boards'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "watch" -d 'Poll boards and report every change'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "from-start" -d 'A board\'s own log since its start mark'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "reconstruct" -d 'Work out what was played: board records to game records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "evaluate" -d 'An engine\'s evaluation beside each position of chess'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "show" -d 'A hall on a screen: boards, moves, clocks, and what is wrong'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "check" -d 'What is wrong with which board, since when, and what to do'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "serve" -d 'LiveChess\'s interface for other programs, and a feed of records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "from-pgn" -d 'PGN files to game records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "from-bars" -d 'BARS files to game records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "from-pdn" -d 'PDN files to game records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "to-pgn" -d 'Game records to PGN'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "to-bars" -d 'Game records to BARS'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "to-pdn" -d 'Game records to PDN'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "to-html" -d 'Game records to pages for spectators'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "to-results" -d 'Game records to the results of a round, for the arbiter'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "publish" -d 'Publish the records of a hall on a server'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "subscribe" -d 'Write the records that halls publish on a server'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "simulate" -d 'A virtual line of boards on which games are played'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "decode" -d 'Turns the bytes of boards into board records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "schema" -d 'Print the JSON Schema of the records'
complete -c boardbus -n "__fish_boardbus_using_subcommand help; and not __fish_seen_subcommand_from discover dump start reset watch from-start reconstruct evaluate show check serve from-pgn from-bars from-pdn to-pgn to-bars to-pdn to-html to-results publish subscribe simulate decode schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
