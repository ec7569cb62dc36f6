npm test $(rm x) `y` <(z) <<EOF
EOF