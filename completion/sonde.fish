# SPDX-License-Identifier: GPL-2.0
#
# Completion for fish: sonde and the tools it is linked as. sonde itself says what fits (`sonde completion -- WORD...`), from
# the tables that its tools are parsed by. fish looks for a file of the command's name: link this one for each tool.

function __sonde_complete
	set -l given (commandline -opc) (commandline -ct)
	set -l sonde $given[1]
	set -e given[1]
	set -l name (string replace -r '.*/' '' -- $sonde)
	if test $name != sonde
		set given $name $given
		set sonde (string replace -r '[^/]*$' sonde -- $sonde)
	end
	for line in ($sonde completion -- $given 2>/dev/null)
		switch $line
			case :files
				__fish_complete_path (commandline -ct)
			case :directories
				__fish_complete_directories (commandline -ct)
			case :command
				complete -C (commandline -ct)
			case '*'
				echo $line
		end
	end
end

for name in sonde @TOOLS@
	complete -c $name -f -a '(__sonde_complete)'
end
